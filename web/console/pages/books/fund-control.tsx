import { actMessages } from '#web/messages/en-console-acts.ts'
import { ActButton } from '../../acts/act-button.tsx'
import { AmountAct } from '../../acts/amount-act.tsx'

/** Adds tokens of the treasury that nobody owns to the reward pool. */
export function FundControl() {
  return (
    <ActButton text={actMessages.fund.action} needs="adjust">
      {(close) => (
        <AmountAct
          title={actMessages.fund.title}
          text={actMessages.fund.text}
          makeAct={(given) => ({ kind: 'fund', ...given })}
          onClose={close}
        />
      )}
    </ActButton>
  )
}
