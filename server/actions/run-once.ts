import type { RefusalCode } from '#contract/refusals.ts'
import { openLedger, type Ledger } from '#server/ledger/ledger.ts'
import { readFreezes, refuseFrozen } from '#server/freeze/freeze-wallet.ts'
import { type Answer, refused } from '#server/platform/answer.ts'
import { assert } from '#server/platform/assert.ts'
import type { Clock } from '#server/platform/clock.ts'
import { rowOf, rowset, sql, type Tx } from '#server/platform/db/db.ts'

/** An `Idempotency-Key` with the hash of its request body. Its scope is one wallet and one route. */
export type IdempotencyKey = { route: string; key: string; bodyHash: Buffer }

/** A request to change something that belongs to a player. */
export type ActionRequest = { wallet: string; key: IdempotencyKey | null }

type StoredRow = { wallet: string; route: string; key: string; body_hash: Buffer; answer: unknown }

// `offset 0` forces one index lookup per key. When the statistics say that the table is empty, as after a cleanup,
// Postgres plans a plain join as a scan of the whole index for each key.
const findKeys = sql({
  name: 'keys-find',
  params: { requested: rowset({ wallet: 'text', route: 'text', key: 'text' }) },
  row: rowOf<StoredRow>(),
  text: ({ requested }) =>
    `select k.wallet, k.route, k.key, k.body_hash, k.answer
     from ${requested},
       lateral (
         select k.* from idempotency_keys k
         where k.wallet = requested.wallet and k.route = requested.route and k.key = requested.key offset 0
       ) k`,
})

const storeKeys = sql({
  name: 'keys-store',
  params: {
    stored: rowset({ wallet: 'text', route: 'text', key: 'text', body_hash: 'bytea', answer: 'jsonb' }),
    now: 'timestamptz',
  },
  text: ({ stored, now }) =>
    `insert into idempotency_keys (wallet, route, key, body_hash, answer, at)
     select wallet, route, key, body_hash, answer, ${now} from ${stored}`,
})

export type RunOptions<Locked> = {
  /** Other wallets whose ledger accounts the action changes. */
  alsoLock?: Iterable<string>
  /** Locks the rows and reads what the action depends on. Sent right after the account locks, in the same round trip. */
  lockAndRead?(): Promise<Locked>
}

/** Decides the new requests: one answer each, in their order. */
type Act<Q, Reply, Locked, Code extends RefusalCode> = (
  ledger: Ledger,
  fresh: readonly Q[],
  now: Date,
  locked: Locked,
) => Promise<Answer<Reply, Code>[]>

/**
 * Runs requests on their players' ledger accounts, each exactly once. Requests of frozen wallets are refused.
 *
 * The accounts are locked first, so the requests of one player run one after the other, and a key that another request
 * has just stored is found here: its response is returned again. `act` receives the new requests only. Refusals are not
 * stored, so the client may retry them. No two requests of one call may have the same key.
 *
 * All locks and reads share one round trip. All writes are sent with the commit.
 */
export function runOnce<
  Q extends ActionRequest,
  Reply,
  Locked = undefined,
  Code extends RefusalCode = RefusalCode,
>(
  tx: Tx,
  requests: readonly Q[],
  clock: Clock,
  act: Act<Q, Reply, Locked, Code>,
  options: RunOptions<Locked> = {},
): Promise<Answer<Reply, Code | 'key_reused' | 'wallet_frozen'>[]> {
  return run(tx, requests, clock, act, { ...options, refuse: refuseAllFrozen })
}

/** Like `runOnce`, for frozen wallets too: for actions that give no value away, such as cancellations and milestones. */
export function runOnceIfFrozen<
  Q extends ActionRequest,
  Reply,
  Locked = undefined,
  Code extends RefusalCode = RefusalCode,
>(
  tx: Tx,
  requests: readonly Q[],
  clock: Clock,
  act: Act<Q, Reply, Locked, Code>,
  options: RunOptions<Locked> = {},
): Promise<Answer<Reply, Code | 'key_reused'>[]> {
  return run(tx, requests, clock, act, {
    ...options,
    refuse: async () => new Map<string, Answer<never, never>>(),
  })
}

type Refuse<Code extends RefusalCode> = (
  tx: Tx,
  ledger: Ledger,
  wallets: readonly string[],
) => Promise<ReadonlyMap<string, Answer<never, Code>>>

async function run<
  Q extends ActionRequest,
  Reply,
  Locked,
  Code extends RefusalCode,
  Refused extends RefusalCode,
>(
  tx: Tx,
  requests: readonly Q[],
  clock: Clock,
  act: Act<Q, Reply, Locked, Code>,
  {
    alsoLock = [],
    lockAndRead = async () => undefined as Locked,
    refuse,
  }: RunOptions<Locked> & { refuse: Refuse<Refused> },
): Promise<Answer<Reply, Code | Refused | 'key_reused'>[]> {
  const wallets = requests.map((request) => request.wallet)
  const [ledger, known, locked] = await Promise.all([
    openLedger(tx, [...wallets, ...alsoLock]),
    findStoredResponses<Reply>(tx, requests),
    lockAndRead(),
  ])
  const refusals = await refuse(tx, ledger, wallets)
  // Read after the locks: a time read while waiting would be older than changes made meanwhile.
  const now = clock.now()
  const fresh = requests.filter((request) => !known.has(request) && !refusals.has(request.wallet))
  const answers = fresh.length > 0 ? await act(ledger, fresh, now, locked) : []
  assert(answers.length === fresh.length, 'every request gets one answer')
  storeResponses(tx, fresh, answers, now)
  ledger.write()
  const answerOf = new Map(fresh.map((request, at) => [request, answers[at]!]))
  return requests.map(
    (request) => known.get(request) ?? answerOf.get(request) ?? refusals.get(request.wallet)!,
  )
}

/** The refusals of frozen wallets. Their reasons are read only if there is one: other batches take no further round trip. */
async function refuseAllFrozen(
  tx: Tx,
  ledger: Ledger,
  wallets: readonly string[],
): Promise<ReadonlyMap<string, Answer<never, 'wallet_frozen'>>> {
  const frozen = wallets.filter((wallet) => ledger.isFrozen(wallet))
  if (frozen.length === 0) return new Map()
  const freezes = await readFreezes(tx, frozen)
  return new Map([...freezes].map(([wallet, freeze]) => [wallet, refuseFrozen(freeze)]))
}

const nameOf = (wallet: string, key: Pick<IdempotencyKey, 'route' | 'key'>): string =>
  `${wallet} ${key.route} ${key.key}`

async function findStoredResponses<Reply>(
  tx: Tx,
  requests: readonly ActionRequest[],
): Promise<Map<ActionRequest, Answer<Reply, 'key_reused'>>> {
  const keyed = requests.flatMap((request) => (request.key ? [{ request, key: request.key }] : []))
  if (keyed.length === 0) return new Map()
  const requested = keyed.map(({ request: { wallet }, key: { route, key } }) => ({ wallet, route, key }))
  const rows = await tx.rows(findKeys, { requested })
  const stored = new Map(rows.map((row) => [nameOf(row.wallet, row), row]))
  return new Map(
    keyed.flatMap(({ request, key }) => {
      const row = stored.get(nameOf(request.wallet, key))
      if (!row) return []
      const isSameBody = row.body_hash.equals(key.bodyHash)
      return [[request, isSameBody ? { reply: row.answer as Reply } : refused('key_reused')]]
    }),
  )
}

function storeResponses<Reply>(
  tx: Tx,
  requests: readonly ActionRequest[],
  answers: readonly Answer<Reply>[],
  now: Date,
): void {
  const stored = requests.flatMap(({ wallet, key }, at) => {
    const { refusal, reply } = answers[at]!
    if (!key || refusal) return []
    return [
      { wallet, route: key.route, key: key.key, body_hash: key.bodyHash, answer: JSON.stringify(reply) },
    ]
  })
  if (stored.length > 0) tx.send(storeKeys, { stored, now })
}
