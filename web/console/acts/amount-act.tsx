import { useState } from 'react'
import type { Act } from '#contract/console/acts.ts'
import { toDecimal } from '#game/cotton.ts'
import { parseAmount } from '#web/messages/amount.ts'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { TextField } from '../ui/field.tsx'
import { ReasonAct } from './reason-act.tsx'

type AmountActProps = {
  title: string
  text: string
  makeAct: (given: { amount: string; reason: string }) => Act
  onClose: () => void
}

/** A signed act with an amount above 0 and a reason. */
export function AmountAct({ makeAct, ...dialog }: AmountActProps) {
  const [typed, setTyped] = useState('')
  return (
    <ReasonAct
      {...dialog}
      makeAct={(reason) => {
        const amount = parseAmount(typed)
        if (amount === null) return { problem: actMessages.amountInvalid }
        return { act: makeAct({ amount: toDecimal(amount), reason }) }
      }}
    >
      <TextField label={actMessages.amount} inputMode="decimal" value={typed} onChange={setTyped} />
    </ReasonAct>
  )
}
