import { isWithdrawalReason } from '#contract/withdrawal-reasons.ts'
import { sql } from '#server/platform/db/db.ts'
import { StartProblem } from '#server/platform/start-problem.ts'
import { approvalsNeeded } from '#server/withdrawals/policy.ts'
import type { WithdrawalState } from '#server/withdrawals/read-withdrawals.ts'
import { REASON_FOR_OPERATORS } from '#server/withdrawals/reasons-for-operators.ts'
import { baseUnits } from '#game/cotton.ts'
import { exactly } from './amounts.ts'
import type { Command, Desk } from './desk.ts'
import { STANDS } from './find-withdrawal.ts'

const STATES = Object.keys(STANDS) as WithdrawalState[]
const OPEN: readonly WithdrawalState[] = ['requested', 'review', 'approved', 'signed', 'sent']
const MOST = 200

const readListed = sql(
  'operator-list-withdrawals',
  `select w.id::text, w.wallet, w.state, w.reason, w.reasons, w.deposited, w.earned, w.requested_at as "requestedAt", p.signature,
     array(select a.who from approvals a where a.withdrawal_id = w.id order by a.at, a.who) as approvers
   from withdrawals w left join payouts p on p.withdrawal_id = w.id
   where w.state = any($1::text[]) order by w.requested_at, w.id limit $2`,
)

type Listed = {
  id: string
  wallet: string
  state: WithdrawalState
  reason: string | null
  reasons: string[]
  deposited: bigint
  earned: bigint
  requestedAt: Date
  signature: string | null
  approvers: string[]
}

export const listWithdrawals: Command = {
  usage: '[--state <state>]',
  does: `withdrawals that are not over, oldest first; or those in one state (${STATES.join(', ')})`,
  words: 0,
  options: ['state'],
  async run(desk, { options: { state } }) {
    const known = STATES.find((each) => each === state)
    if (state !== undefined && !known) throw new StartProblem(`--state is one of ${STATES.join(', ')}.`)
    const states = known ? [known] : OPEN
    const found = await desk.db.rows<Listed>(readListed, [states, MOST + 1])
    for (const withdrawal of found.slice(0, MOST)) show(desk, withdrawal)
    if (found.length === 0) desk.say(known ? `No withdrawal is in state ${known}.` : 'No withdrawal is open.')
    if (found.length > MOST) desk.say(`There are more than these ${MOST}.`)
  },
}

function show({ clock, say }: Desk, withdrawal: Listed): void {
  const { id, wallet, state, reason, reasons, deposited, earned, requestedAt, signature, approvers } =
    withdrawal
  const amount = baseUnits(deposited + earned)
  say(`${id}  ${state}  ${age(clock.now().getTime() - requestedAt.getTime())}`)
  say(
    `    ${exactly(amount)} $COTTON (deposited ${exactly(deposited)}, earned ${exactly(earned)}) to ${wallet}`,
  )
  const known = reasons.filter(isWithdrawalReason)
  for (const code of known) say(`    ${REASON_FOR_OPERATORS[code]}`)
  if (known.length === 0 && reason !== null) say(`    ${reason}`)
  if (state === 'review' || approvers.length > 0) {
    const by = approvers.length > 0 ? ` by ${approvers.join(' and ')}` : ''
    say(`    approved ${approvers.length} of ${approvalsNeeded(amount)} times${by}`)
  }
  if (signature !== null) say(`    transaction ${signature}`)
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

function age(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS)
  if (hours >= 48) return `${Math.floor(hours / 24)} days old`
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS)
  return hours > 0 ? `${hours} h ${minutes} min old` : `${minutes} min old`
}
