import { openBook, type Book } from '#server/ledger/book.ts'
import { type Answer, refused } from '#server/platform/answer.ts'
import { assert } from '#server/platform/assert.ts'
import type { Clock } from '#server/platform/clock.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'

/** An `Idempotency-Key`, and the hash of the body it came with. Its scope is one wallet and one route. */
export type Key = { route: string; key: string; bodyHash: Buffer }

/** A request to change something of a player's. */
export type Request = { wallet: string; key: Key | null }

// `offset 0` lets Postgres look each key up and do nothing else: of a table that it thinks empty, as this one is when
// all its keys have grown old, a plain join reads the whole index for every key.
const findAnswers = sql(
  'keys-find',
  `select k.wallet, k.route, k.key, k.body_hash, k.answer
   from unnest($1::text[], $2::text[], $3::text[]) as asked (wallet, route, key),
     lateral (
       select k.* from idempotency_keys k
       where k.wallet = asked.wallet and k.route = asked.route and k.key = asked.key offset 0
     ) k`,
)

const keepAnswers = sql(
  'keys-keep',
  `insert into idempotency_keys (wallet, route, key, body_hash, answer, at)
   select wallet, route, key, body_hash, answer, $6
   from unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::jsonb[]) as kept (wallet, route, key, body_hash, answer)`,
)

/** What an action takes beside its requests. */
export type Needs<Held> = {
  /** Wallets whose accounts it moves too. */
  alsoOpen?: Iterable<string>
  /** Locks and reads what it goes by. Sent right behind the locks of the accounts, before anything is answered. */
  hold?(): Promise<Held>
}

/**
 * Lets requests act on their players' accounts, each exactly once. The wallets' accounts are locked first, so all
 * that one player does happens one after the other: a key that another request has just kept is seen here, and its
 * answer is given again. `act` gets the requests that are new; refusals are not kept, so they may be tried again.
 * No two requests of one call may carry the same key. All locks and reads are one journey to the database, and all
 * writes travel with the commit.
 */
export async function actOnce<Q extends Request, Reply, Held = undefined>(
  tx: Tx,
  requests: readonly Q[],
  clock: Clock,
  act: (book: Book, fresh: readonly Q[], now: Date, held: Held) => Promise<Answer<Reply>[]>,
  { alsoOpen = [], hold = async () => undefined as Held }: Needs<Held> = {},
): Promise<Answer<Reply>[]> {
  const [book, known, held] = await Promise.all([
    openBook(tx, [...requests.map((request) => request.wallet), ...alsoOpen]),
    knownAnswers<Reply>(tx, requests),
    hold(),
  ])
  // Read after the locks: a clock read while waiting would be behind what others have done since.
  const now = clock.now()
  const fresh = requests.filter((request) => !known.has(request))
  const answers = fresh.length > 0 ? await act(book, fresh, now, held) : []
  assert(answers.length === fresh.length, 'every request gets one answer')
  keep(tx, fresh, answers, now)
  await book.close()
  const given = new Map(fresh.map((request, at) => [request, answers[at]!]))
  return requests.map((request) => known.get(request) ?? given.get(request)!)
}

const nameOf = (wallet: string, key: Pick<Key, 'route' | 'key'>): string =>
  `${wallet} ${key.route} ${key.key}`

async function knownAnswers<Reply>(
  tx: Tx,
  requests: readonly Request[],
): Promise<Map<Request, Answer<Reply>>> {
  const keyed = requests.flatMap((request) => (request.key ? [{ request, key: request.key }] : []))
  if (keyed.length === 0) return new Map()
  type Row = { wallet: string; route: string; key: string; body_hash: Buffer; answer: Reply }
  const rows = await tx.rows<Row>(findAnswers, [
    keyed.map(({ request }) => request.wallet),
    keyed.map(({ key }) => key.route),
    keyed.map(({ key }) => key.key),
  ])
  const kept = new Map(rows.map((row) => [nameOf(row.wallet, row), row]))
  return new Map(
    keyed.flatMap(({ request, key }) => {
      const row = kept.get(nameOf(request.wallet, key))
      if (!row) return []
      return [[request, row.body_hash.equals(key.bodyHash) ? { reply: row.answer } : refused('key_reused')]]
    }),
  )
}

function keep<Reply>(
  tx: Tx,
  requests: readonly Request[],
  answers: readonly Answer<Reply>[],
  now: Date,
): void {
  const kept = requests.flatMap(({ wallet, key }, at) => {
    const answer = answers[at]!
    return key && !answer.refusal ? [{ wallet, ...key, answer: JSON.stringify(answer.reply) }] : []
  })
  if (kept.length === 0) return
  void tx.rows(keepAnswers, [
    kept.map((each) => each.wallet),
    kept.map((each) => each.route),
    kept.map((each) => each.key),
    kept.map((each) => each.bodyHash),
    kept.map((each) => each.answer),
    now,
  ])
}
