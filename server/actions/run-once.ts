import { openLedger, type Ledger } from '#server/ledger/ledger.ts'
import { type Answer, refused } from '#server/platform/answer.ts'
import { assert } from '#server/platform/assert.ts'
import type { Clock } from '#server/platform/clock.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'

/** An `Idempotency-Key`, and the hash of the body it came with. Its scope is one wallet and one route. */
export type IdempotencyKey = { route: string; key: string; bodyHash: Buffer }

/** A request to change something of a player's. */
export type ActionRequest = { wallet: string; key: IdempotencyKey | null }

// `offset 0` lets Postgres look each key up and do nothing else: of a table that it thinks empty, as this one is when
// all its keys have grown old, a plain join reads the whole index for every key.
const findKeys = sql(
  'keys-find',
  `select k.wallet, k.route, k.key, k.body_hash, k.answer
   from unnest($1::text[], $2::text[], $3::text[]) as asked (wallet, route, key),
     lateral (
       select k.* from idempotency_keys k
       where k.wallet = asked.wallet and k.route = asked.route and k.key = asked.key offset 0
     ) k`,
)

const storeKeys = sql(
  'keys-store',
  `insert into idempotency_keys (wallet, route, key, body_hash, answer, at)
   select wallet, route, key, body_hash, answer, $6
   from unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::jsonb[]) as stored (wallet, route, key, body_hash, answer)`,
)

/** What an action takes beside its requests. */
export type RunOptions<Locked> = {
  /** Wallets whose accounts it moves too. */
  alsoLock?: Iterable<string>
  /** Locks and reads what it goes by. Sent right behind the locks of the accounts, before anything is answered. */
  lockAndRead?(): Promise<Locked>
}

/**
 * Lets requests act on their players' accounts, each exactly once. The wallets' accounts are locked first, so all
 * that one player does happens one after the other: a key that another request has just kept is seen here, and its
 * answer is given again. `act` gets the requests that are new; refusals are not kept, so they may be tried again.
 * No two requests of one call may carry the same key. All locks and reads are one journey to the database, and all
 * writes travel with the commit.
 */
export async function runOnce<Q extends ActionRequest, Reply, Locked = undefined>(
  tx: Tx,
  requests: readonly Q[],
  clock: Clock,
  act: (ledger: Ledger, fresh: readonly Q[], now: Date, locked: Locked) => Promise<Answer<Reply>[]>,
  { alsoLock = [], lockAndRead = async () => undefined as Locked }: RunOptions<Locked> = {},
): Promise<Answer<Reply>[]> {
  const [ledger, known, locked] = await Promise.all([
    openLedger(tx, [...requests.map((request) => request.wallet), ...alsoLock]),
    findStoredResponses<Reply>(tx, requests),
    lockAndRead(),
  ])
  // Read after the locks: a clock read while waiting would be behind what others have done since.
  const now = clock.now()
  const fresh = requests.filter((request) => !known.has(request))
  const answers = fresh.length > 0 ? await act(ledger, fresh, now, locked) : []
  assert(answers.length === fresh.length, 'every request gets one answer')
  storeResponses(tx, fresh, answers, now)
  await ledger.write()
  const given = new Map(fresh.map((request, at) => [request, answers[at]!]))
  return requests.map((request) => known.get(request) ?? given.get(request)!)
}

const nameOf = (wallet: string, key: Pick<IdempotencyKey, 'route' | 'key'>): string =>
  `${wallet} ${key.route} ${key.key}`

async function findStoredResponses<Reply>(
  tx: Tx,
  requests: readonly ActionRequest[],
): Promise<Map<ActionRequest, Answer<Reply>>> {
  const keyed = requests.flatMap((request) => (request.key ? [{ request, key: request.key }] : []))
  if (keyed.length === 0) return new Map()
  type Row = { wallet: string; route: string; key: string; body_hash: Buffer; answer: Reply }
  const rows = await tx.rows<Row>(findKeys, [
    keyed.map(({ request }) => request.wallet),
    keyed.map(({ key }) => key.route),
    keyed.map(({ key }) => key.key),
  ])
  const stored = new Map(rows.map((row) => [nameOf(row.wallet, row), row]))
  return new Map(
    keyed.flatMap(({ request, key }) => {
      const row = stored.get(nameOf(request.wallet, key))
      if (!row) return []
      return [[request, row.body_hash.equals(key.bodyHash) ? { reply: row.answer } : refused('key_reused')]]
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
    const answer = answers[at]!
    return key && !answer.refusal ? [{ wallet, ...key, answer: JSON.stringify(answer.reply) }] : []
  })
  if (stored.length === 0) return
  void tx.rows(storeKeys, [
    stored.map((each) => each.wallet),
    stored.map((each) => each.route),
    stored.map((each) => each.key),
    stored.map((each) => each.bodyHash),
    stored.map((each) => each.answer),
    now,
  ])
}
