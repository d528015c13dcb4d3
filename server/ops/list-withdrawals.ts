import { isWithdrawalReason } from '#contract/withdrawal-reasons.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { OPEN_STATES } from '#server/withdrawals/open-states.ts'
import type { WithdrawalState } from '#server/withdrawals/read-withdrawals.ts'
import { REASON_FOR_OPERATORS } from '#server/withdrawals/reasons-for-operators.ts'
import { type Credit, totalOf } from '#game/credit.ts'
import { formatExact } from '#game/cotton.ts'
import { type Approvals, countApprovals } from '#server/operators/count-approvals.ts'
import { quorumOf } from '#server/operators/read-operators.ts'
import type { Command, CommandContext } from './command.ts'
import { readWithdrawal } from './read-withdrawal.ts'
import { readActContext } from './sign-act.ts'
import { STATE_TEXTS, UUID } from '#server/signer/acts/find-withdrawal.ts'

const STATES = Object.keys(STATE_TEXTS) as WithdrawalState[]
const PAGE = 200
const WALLETS_SHOWN = 5

const readListed = sql({
  name: 'operator-list-withdrawals',
  params: { states: 'text[]', wallet: 'text | null', after: 'uuid | null', limit: 'integer' },
  row: rowOf<Listed>(),
  text: ({ states, wallet, after, limit }) =>
    `select w.id::text, w.wallet, w.state, w.reason, w.reasons, w.deposited, w.earned, w.requested_at as "requestedAt",
       w.retry_at as "retryAt", w.cancelled_at as "cancelledAt", coalesce(w.paid_by, (
         select r.signature from payout_replacements r where r.withdrawal_id = w.id order by r.attempt desc limit 1
       ), p.signature) as signature,
       (select count(*) from operator_acts a
        where a.withdrawal_id = w.id and a.kind = 'approve' and a.state = 'done')::int as approvals
     from withdrawals w left join payouts p on p.withdrawal_id = w.id
     where w.state = any(${states}) and (${wallet} is null or w.wallet = ${wallet})
       and (${after} is null or (w.requested_at, w.id) > (select s.requested_at, s.id from withdrawals s where s.id = ${after}))
     order by w.requested_at, w.id limit ${limit}`,
})

// The wallets with the most withdrawals are shown below the list, so that one wallet cannot hide the others.
const countListed = sql({
  name: 'operator-count-withdrawals',
  params: { states: 'text[]', wallet: 'text | null', limit: 'integer' },
  row: rowOf<Count>(),
  text: ({ states, wallet, limit }) =>
    `select wallet, count(*)::int as count, sum(deposited + earned) as amount,
       (sum(count(*)) over ())::int as "countOfAll", (count(*) over ())::int as wallets
     from withdrawals where state = any(${states}) and (${wallet} is null or wallet = ${wallet})
     group by wallet order by count desc, wallet limit ${limit}`,
})

type Listed = Credit & {
  id: string
  wallet: string
  state: WithdrawalState
  reason: string | null
  reasons: string[]
  requestedAt: Date
  retryAt: Date | null
  cancelledAt: Date | null
  /** The newest signature of its payout. */
  signature: string | null
  approvals: number
}

type Count = { wallet: string; count: number; amount: string; countOfAll: number; wallets: number }

export const listWithdrawals: Command = {
  usage: '[--state <state>] [--wallet <wallet>] [--after <id>]',
  description: `lists open withdrawals, oldest first, ${PAGE} at a time. Filters: one state (${STATES.join(', ')}), one wallet`,
  positionals: 0,
  options: ['state', 'wallet', 'after'],
  async run(context, { options: { state, wallet = null, after = null } }) {
    const { db, say } = context
    const known = STATES.find((each) => each === state)
    if (state !== undefined && !known) throw new StartupError(`--state must be one of ${STATES.join(', ')}.`)
    if (after !== null && !UUID.test(after)) throw new StartupError('--after must be the id of a withdrawal.')
    if (after !== null) await readWithdrawal(db, after)
    const states = known ? [known] : OPEN_STATES
    const found = await db.rows(readListed, { states, wallet, after, limit: PAGE + 1 })
    const page = found.slice(0, PAGE)
    for (const withdrawal of page) show(context, withdrawal, await readApprovals(context, withdrawal))
    if (page.length === 0) return say(noneFoundMessage({ known, wallet, after }))
    if (found.length > PAGE)
      say(`These are the first ${PAGE}. For the next ones use --after ${page.at(-1)!.id}.`)
    if (found.length > PAGE || after !== null)
      summarize(context, await db.rows(countListed, { states, wallet, limit: WALLETS_SHOWN }))
  },
}

type Filter = { known: WithdrawalState | undefined; wallet: string | null; after: string | null }

function noneFoundMessage({ known, wallet, after }: Filter): string {
  const which = wallet === null ? 'No withdrawal' : `No withdrawal of ${wallet}`
  return `${which} is ${known ? `in state ${known}` : 'open'}${after === null ? '' : ' after that one'}.`
}

function summarize({ say }: CommandContext, counts: readonly Count[]): void {
  const [first] = counts
  if (!first) return
  say(`${first.countOfAll} withdrawals of ${first.wallets} wallets in total. The wallets with the most:`)
  for (const { wallet, count, amount } of counts)
    say(`    ${wallet}  ${count}, ${formatExact(BigInt(amount))} $COTTON`)
}

type Unverified = { unverified: string }

/**
 * Who has approved it by a signature that is valid now; null where approvals do not matter. Settings that do not fit the game
 * must not end the list: the sentence takes the place of the approvals.
 */
async function readApprovals(
  context: CommandContext,
  withdrawal: Listed,
): Promise<Approvals | Unverified | null> {
  const { db, clock, acts } = context
  if (!acts || (withdrawal.state !== 'review' && withdrawal.approvals === 0)) return null
  if (withdrawal.approvals === 0) return { by: [], needed: quorumOf(acts.operators, totalOf(withdrawal)) }
  try {
    return await countApprovals(db, await readActContext(db, acts), { withdrawal, now: clock.now() })
  } catch (error) {
    if (error instanceof StartupError) return { unverified: error.message }
    throw error
  }
}

function show(
  { clock, say }: CommandContext,
  withdrawal: Listed,
  approvals: Approvals | Unverified | null,
): void {
  const { id, wallet, state, reason, reasons, deposited, earned, requestedAt, signature } = withdrawal
  const { cancelledAt, retryAt } = withdrawal
  const amount = totalOf(withdrawal)
  say(`${id}  ${state}  ${age(clock.now().getTime() - requestedAt.getTime())}`)
  say(
    `    ${formatExact(amount)} $COTTON (deposited ${formatExact(deposited)}, earned ${formatExact(earned)}) to ${wallet}`,
  )
  const known = reasons.filter(isWithdrawalReason)
  for (const code of known) say(`    ${REASON_FOR_OPERATORS[code]}`)
  if (known.length === 0 && reason !== null) say(`    ${reason}`)
  if (cancelledAt !== null) say(`    cancelled by its player at ${cancelledAt.toISOString()}`)
  else if (state === 'approved' && retryAt !== null) say(`    next attempt at ${retryAt.toISOString()}`)
  if (approvals && 'unverified' in approvals) say(`    approvals: not verified. ${approvals.unverified}`)
  else if (approvals) {
    const names = approvals.by.map((each) => each.name).join(' and ')
    say(`    approvals: ${approvals.by.length} of ${approvals.needed}${names && ` by ${names}`}`)
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
