import { useState } from 'react'
import { freezePlayer, type readPlayer } from '#contract/console/players.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { toDecimal } from '#game/cotton.ts'
import { parseAmount } from '#web/messages/amount.ts'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { call } from '../../api/call.ts'
import { ActButton } from '../../acts/act-button.tsx'
import { ConfirmDialog } from '../../acts/confirm-dialog.tsx'
import { ReasonAct } from '../../acts/reason-act.tsx'
import { ChoiceField, TextField } from '../../ui/field.tsx'

/** Freeze or unfreeze, and adjust. */
export function PlayerActs({ player: { wallet, frozen } }: Pick<ConsoleReply<typeof readPlayer>, 'player'>) {
  return (
    <>
      <ActButton text={actMessages.adjust.action} needs="adjust">
        {(close) => <AdjustDialog wallet={wallet} onClose={close} />}
      </ActButton>
      <ActButton text={actMessages.unfreeze.action} needs="decide" kind="main" shown={frozen !== null}>
        {(close) => (
          <ReasonAct
            title={actMessages.unfreeze.title}
            text={actMessages.unfreeze.text}
            version={frozen?.id}
            makeAct={(reason) =>
              frozen
                ? { act: { kind: 'unfreeze', freezeId: frozen.id, wallet, reason } }
                : { problem: actMessages.changed }
            }
            onClose={close}
          />
        )}
      </ActButton>
      <ActButton text={actMessages.freeze.action} needs="decide" kind="danger" shown={frozen === null}>
        {(close) => (
          <ConfirmDialog
            {...actMessages.freeze}
            danger
            reasonHint={actMessages.reasonForPlayer}
            act={(reason) => call(freezePlayer, { body: { wallet, reason } })}
            onClose={close}
          />
        )}
      </ActButton>
    </>
  )
}

const text = actMessages.adjust

const CLASSES = [
  ['deposited', text.classes.deposited],
  ['earned', text.classes.earned],
] as const

const DIRECTIONS = [
  ['add', text.directions.add],
  ['take', text.directions.take],
] as const

function AdjustDialog({ wallet, onClose }: { wallet: string; onClose: () => void }) {
  const [creditClass, setClass] = useState<(typeof CLASSES)[number][0]>('deposited')
  const [direction, setDirection] = useState<(typeof DIRECTIONS)[number][0]>('add')
  const [typed, setTyped] = useState('')
  return (
    <ReasonAct
      title={text.title}
      text={text.text}
      makeAct={(reason) => {
        const size = parseAmount(typed)
        if (size === null) return { problem: actMessages.amountInvalid }
        const amount = toDecimal(direction === 'add' ? size : -size)
        return { act: { kind: 'adjust', creditClass, wallet, amount, reason } }
      }}
      onClose={onClose}
    >
      <ChoiceField label={text.creditClass} value={creditClass} choices={CLASSES} onChange={setClass} />
      <ChoiceField label={text.direction} value={direction} choices={DIRECTIONS} onChange={setDirection} />
      <TextField label={actMessages.amount} inputMode="decimal" value={typed} onChange={setTyped} />
    </ReasonAct>
  )
}
