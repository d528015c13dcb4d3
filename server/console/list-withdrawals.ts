import type { listWithdrawals as route, StoredState, WithdrawalRow } from '#contract/console/withdrawals.ts'
import type { ConsoleCall, ConsoleReply } from '#contract/console/route.ts'
import { isWithdrawalReason } from '#contract/withdrawal-reasons.ts'
import { baseUnits } from '#game/cotton.ts'
import { findOperator, type Operators, quorumOf } from '#server/operators/read-operators.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { OPEN_STATES } from '#server/withdrawals/open-states.ts'
import { REASON_FOR_OPERATORS } from '#server/withdrawals/reasons-for-operators.ts'
import type * as z from 'zod/mini'
import { exact, instant, instantOrNull } from './exact.ts'
import { FIRST_ID, FIRST_TIME, fromCursor, LAST_ID, LAST_TIME, PAGE_ROWS, toPage } from './pages.ts'

type State = z.output<typeof StoredState>
type View = z.output<typeof WithdrawalRow>

type Approval = { wallet: string; at: string; expiresAt: string }

type Row = {
  id: string
  wallet: string
  deposited: bigint
  earned: bigint
  state: State
  reason: string | null
  reasons: string[]
  requestedAt: Date
  settledAt: Date | null
  cancelledAt: Date | null
  retryAt: Date | null
  signature: string | null
  approvals: Approval[]
  frozen: boolean
  key: string
}

const COLUMNS = `w.id::text, w.wallet, w.deposited, w.earned, w.state, w.reason, w.reasons, w.requested_at as "requestedAt",
  w.settled_at as "settledAt", w.cancelled_at as "cancelledAt", w.retry_at as "retryAt", w.requested_at::text as key,
  coalesce(w.paid_by, (
    select r.signature from payout_replacements r where r.withdrawal_id = w.id order by r.attempt desc limit 1
  ), (select p.signature from payouts p where p.withdrawal_id = w.id)) as signature,
  (select coalesce(jsonb_agg(jsonb_build_object('wallet', a.operator, 'at', a.at, 'expiresAt', a.expires_at) order by a.at, a.nonce), '[]')
   from operator_acts a where a.withdrawal_id = w.id and a.kind = 'approve' and a.state <> 'refused') as approvals,
  exists (select from frozen_wallets f where f.wallet = w.wallet) as frozen`

const PAGE = { at: 'text', id: 'uuid', limit: 'integer' } as const

// Each state is one range of the index; the ranges are merged.
const readByState = sql({
  name: 'console-withdrawals-by-state',
  params: { states: 'text[]', ...PAGE },
  row: rowOf<Row>(),
  text: ({ states, at, id, limit }) =>
    `select ${COLUMNS} from (
       select one.id, one.requested_at from unnest(${states}) as asked (state) cross join lateral (
         select o.id, o.requested_at from withdrawals o
         where o.state = asked.state and (o.requested_at, o.id) > (${at}::timestamptz, ${id})
         order by o.requested_at, o.id limit ${limit}
       ) one order by one.requested_at, one.id limit ${limit}
     ) page join withdrawals w on w.id = page.id order by page.requested_at, page.id`,
})

const readEnded = sql({
  name: 'console-withdrawals-ended',
  params: { state: 'text', ...PAGE },
  row: rowOf<Row>(),
  text: ({ state, at, id, limit }) =>
    `select ${COLUMNS} from withdrawals w
     where w.state = ${state} and (w.requested_at, w.id) < (${at}::timestamptz, ${id})
     order by w.requested_at desc, w.id desc limit ${limit}`,
})

const readOfWallet = sql({
  name: 'console-withdrawals-of-wallet',
  params: { wallet: 'text', ...PAGE },
  row: rowOf<Row>(),
  text: ({ wallet, at, id, limit }) =>
    `select ${COLUMNS} from withdrawals w
     where w.wallet = ${wallet} and (w.requested_at, w.id) < (${at}::timestamptz, ${id})
     order by w.requested_at desc, w.id desc limit ${limit}`,
})

// A wallet has few open withdrawals: the index of those leads to them.
const readOpenOfWallet = sql({
  name: 'console-withdrawals-open-of-wallet',
  params: { wallet: 'text', ...PAGE },
  row: rowOf<Row>(),
  text: ({ wallet, at, id, limit }) =>
    `select ${COLUMNS} from withdrawals w
     where w.wallet = ${wallet} and w.state not in ('finalized', 'refunded')
       and (w.requested_at, w.id) > (${at}::timestamptz, ${id})
     order by w.requested_at, w.id limit ${limit}`,
})

const readOne = sql({
  name: 'console-withdrawal',
  params: { id: 'uuid' },
  row: rowOf<Row>(),
  text: ({ id }) => `select ${COLUMNS} from withdrawals w where w.id = ${id}`,
})

type Context = { operators: Operators; now: Date }

/** A page of withdrawals. */
export async function listWithdrawals(
  db: Queryable,
  { state, wallet, cursor }: ConsoleCall<typeof route>['query'],
  context: Context,
): Promise<ConsoleReply<typeof route>> {
  const key = fromCursor(cursor, 2)
  const limit = PAGE_ROWS + 1
  const up = { at: key?.[0] ?? FIRST_TIME, id: key?.[1] ?? FIRST_ID, limit }
  const down = { at: key?.[0] ?? LAST_TIME, id: key?.[1] ?? LAST_ID, limit }
  const readRows = () => {
    if (wallet !== undefined)
      return state === 'open'
        ? db.rows(readOpenOfWallet, { wallet, ...up })
        : db.rows(readOfWallet, { wallet, ...down })
    if (state === 'finalized' || state === 'refunded') return db.rows(readEnded, { state, ...down })
    return db.rows(readByState, { states: state === 'open' ? OPEN_STATES : [state], ...up })
  }
  const rows = await readRows()
  return toPage(rows, { key: (row) => [row.key, row.id], item: (row) => toView(row, context) })
}

/** The newest withdrawals of a wallet. */
export async function readNewestOf(
  db: Queryable,
  { wallet, limit }: { wallet: string; limit: number },
  context: Context,
): Promise<View[]> {
  const rows = await db.rows(readOfWallet, { wallet, at: LAST_TIME, id: LAST_ID, limit })
  return rows.map((row) => toView(row, context))
}

/** One withdrawal; null if there is none with this id. */
export async function readOneWithdrawal(db: Queryable, id: string, context: Context): Promise<View | null> {
  const [row] = await db.rows(readOne, { id })
  return row ? toView(row, context) : null
}

function toView(row: Row, { operators, now }: Context): View {
  const amount = baseUnits(row.deposited + row.earned)
  const codes = row.reasons.filter(isWithdrawalReason)
  return {
    id: row.id,
    wallet: row.wallet,
    amount: exact(amount),
    deposited: exact(row.deposited),
    earned: exact(row.earned),
    state: row.state,
    reasons:
      codes.length > 0 || row.reason === null
        ? codes.map((code) => ({ code, sentence: REASON_FOR_OPERATORS[code] }))
        : [{ code: 'other', sentence: row.reason }],
    requestedAt: instant(row.requestedAt),
    settledAt: instantOrNull(row.settledAt),
    cancelledAt: instantOrNull(row.cancelledAt),
    retryAt: instantOrNull(row.retryAt),
    signature: row.signature,
    needed: quorumOf(operators, amount),
    approvals: validApprovals(row.approvals, { operators, now }),
    frozen: row.frozen,
  }
}

/** The approvals that count now: of operators with the right, each once, and not expired. The signer verifies them itself. */
function validApprovals(approvals: readonly Approval[], { operators, now }: Context): View['approvals'] {
  const counted = new Map<string, View['approvals'][number]>()
  for (const { wallet, at, expiresAt } of approvals) {
    const operator = findOperator(operators, wallet, 'decide')
    if (operator && new Date(expiresAt) > now && !counted.has(wallet))
      counted.set(wallet, { wallet, name: operator.name, at: instant(new Date(at)) })
  }
  return [...counted.values()]
}
