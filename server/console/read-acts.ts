import type { listActs as listRoute, StoredAct } from '#contract/console/act-list.ts'
import type { ConsoleCall, ConsoleReply } from '#contract/console/route.ts'
import { BOUNDED } from '#server/operators/operator-acts.ts'
import type { Operators } from '#server/operators/read-operators.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import type * as z from 'zod/mini'
import { instant, instantOrNull } from './exact.ts'
import { fromCursor, LAST_TIME, PAGE_ROWS, toPage } from './pages.ts'

type View = z.output<typeof StoredAct>

type Row = Omit<View, 'name' | 'at' | 'expiresAt' | 'doneAt'> & {
  at: Date
  expiresAt: Date
  doneAt: Date | null
  key: string
}

const COLUMNS = `nonce, ${BOUNDED.kind} as kind, withdrawal_id::text as "withdrawalId", ${BOUNDED.operator} as operator,
  at, expires_at as "expiresAt", state, outcome, done_at as "doneAt", (${BOUNDED.details})::text as details, at::text as key`

const PAGE = { at: 'text', nonce: 'text', limit: 'integer' } as const

const readAll = sql({
  name: 'console-list-acts',
  params: PAGE,
  row: rowOf<Row>(),
  text: ({ at, nonce, limit }) =>
    `select ${COLUMNS} from operator_acts where (at, nonce) < (${at}::timestamptz, ${nonce})
     order by at desc, nonce desc limit ${limit}`,
})

// Few acts wait at any time, and the others are as many as operators have signed.
const readOfState = sql({
  name: 'console-list-acts-of-state',
  params: { state: 'text', ...PAGE },
  row: rowOf<Row>(),
  text: ({ state, at, nonce, limit }) =>
    `select ${COLUMNS} from operator_acts where state = ${state} and (at, nonce) < (${at}::timestamptz, ${nonce})
     order by at desc, nonce desc limit ${limit}`,
})

const readOne = sql({
  name: 'console-act',
  params: { nonce: 'text' },
  row: rowOf<Row>(),
  text: ({ nonce }) => `select ${COLUMNS} from operator_acts where nonce = ${nonce}`,
})

const readOfWithdrawal = sql({
  name: 'console-acts-of-withdrawal',
  params: { id: 'uuid' },
  row: rowOf<Row>(),
  text: ({ id }) =>
    `select ${COLUMNS} from operator_acts where withdrawal_id = ${id} order by at, nonce limit 100`,
})

/** A page of signed acts, newest first. */
export async function listActs(
  db: Queryable,
  { state, cursor }: ConsoleCall<typeof listRoute>['query'],
  operators: Operators,
): Promise<ConsoleReply<typeof listRoute>> {
  const [at = LAST_TIME, nonce = ''] = fromCursor(cursor, 2) ?? []
  const page = { at, nonce, limit: PAGE_ROWS + 1 }
  const rows = await (state === undefined ? db.rows(readAll, page) : db.rows(readOfState, { state, ...page }))
  return toPage(rows, { key: (row) => [row.key, row.nonce], item: (row) => toView(row, operators) })
}

/** One signed act; null if there is none with this nonce. */
export async function readAct(db: Queryable, nonce: string, operators: Operators): Promise<View | null> {
  const [row] = await db.rows(readOne, { nonce })
  return row ? toView(row, operators) : null
}

/** The acts on a withdrawal, the first one first. */
export async function readActsOn(db: Queryable, id: string, operators: Operators): Promise<View[]> {
  return (await db.rows(readOfWithdrawal, { id })).map((row) => toView(row, operators))
}

const toView = (
  { at, expiresAt, doneAt, key: _key, ...row }: Row,
  { byWallet }: Pick<Operators, 'byWallet'>,
): View => ({
  ...row,
  name: byWallet.get(row.operator)?.name ?? '',
  at: instant(at),
  expiresAt: instant(expiresAt),
  doneAt: instantOrNull(doneAt),
})
