import type { listWithdrawals } from '#contract/console/withdrawals.ts'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { useStore } from '#web/store.ts'
import { ActButton, ActGroup, GroupReason } from '../../acts/act-button.tsx'
import { ReasonAct } from '../../acts/reason-act.tsx'
import { SignDialog } from '../../acts/sign-dialog.tsx'
import type { ItemOf } from '../../api/queries.ts'
import { session } from '../../api/session.ts'
import { formatCredit } from '../../exact.ts'
import { Facts } from '../../ui/facts.tsx'
import { decisionRefusals } from './decision-refusals.ts'

type Withdrawal = ItemOf<typeof listWithdrawals>

/** Approve and reject. A decision is about what the page shows: when that changes, the dialog refuses to go on. */
export function Decision({ withdrawal }: { withdrawal: Withdrawal }) {
  const { operator } = useStore(session)
  const { id: withdrawalId, wallet, amount, state, approvals, needed, cancelledAt } = withdrawal
  const refusals = decisionRefusals(withdrawal)
  const isMine = approvals.some((each) => each.wallet === operator?.wallet)
  const version = `${state} ${amount} ${cancelledAt ?? ''} ${approvals.map((each) => each.wallet).join(' ')}`
  const about = { withdrawalId, wallet, amount }
  return (
    <ActGroup needs="decide">
      <GroupReason />
      <ActButton
        text={actMessages.approve.action}
        needs="decide"
        kind="main"
        refusal={refusals.approve ?? (isMine ? actMessages.approve.mine : null)}
      >
        {(close) => (
          <SignDialog
            title={actMessages.approve.title}
            text={actMessages.approve.text(needed)}
            version={version}
            readAct={() => ({ act: { kind: 'approve', ...about } })}
            onClose={close}
          >
            <About withdrawal={withdrawal} />
          </SignDialog>
        )}
      </ActButton>
      <ActButton text={actMessages.reject.action} needs="decide" kind="danger" refusal={refusals.reject}>
        {(close) => (
          <ReasonAct
            title={actMessages.reject.title}
            text={actMessages.reject.text}
            danger
            reasonHint={actMessages.reasonForPlayer}
            version={version}
            makeAct={(reason) => ({ act: { kind: 'reject', ...about, reason } })}
            onClose={close}
          >
            <About withdrawal={withdrawal} />
          </ReasonAct>
        )}
      </ActButton>
    </ActGroup>
  )
}

function About({ withdrawal: { wallet, amount } }: { withdrawal: Withdrawal }) {
  return (
    <Facts
      facts={[
        [pageMessages.withdrawals.amount, formatCredit(amount)],
        [
          pageMessages.withdrawal.to,
          <span key="to" className="mono">
            {wallet}
          </span>,
        ],
      ]}
    />
  )
}
