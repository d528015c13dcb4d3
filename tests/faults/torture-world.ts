import type { listParcel } from '#contract/market.ts'
import type { ReplyOf } from '#contract/route.ts'
import { cotton } from '#game/cotton.ts'
import { depositEntries } from '#game/credit.ts'
import { PARCELS } from '#game/world.ts'
import type { IdempotencyKey, ActionRequest } from '#server/actions/run-once.ts'
import { submitInBatches, type Action } from '#server/actions/submit-in-batches.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { buyListings } from '#server/market/buy-listings.ts'
import { listParcels } from '#server/market/list-parcels.ts'
import { createMarket } from '#server/market/market-mode.ts'
import { celebrate } from '#server/milestones/celebrate.ts'
import { buyParcels } from '#server/parcels/buy-parcels.ts'
import { replyOf } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, sql } from '#server/platform/db/db.ts'
import { claim, claimAll } from '#server/workers/claim.ts'
import { hire } from '#server/workers/hire.ts'
import type { Random } from '#tests/simulation/random.ts'
import { testPlayer } from '#tests/support/test-player.ts'

const PLAYERS = 20
const WORKERS_EACH = 5

/** A request. `submit` resolves with the reply, or rejects with a refusal or a failure. */
export type TortureRequest = {
  kind: RequestKind
  wallet: string
  key: IdempotencyKey
  isPoison: boolean
  submit(): Promise<object>
}

/** The kind of journal that each kind of request writes; null if it moves no money. */
export const JOURNAL_KINDS = {
  claim: 'claim',
  'claim-all': 'claim',
  hire: 'hire',
  parcel: 'parcel',
  resale: 'resale',
  offer: null,
  celebrate: null,
} as const

export type RequestKind = keyof typeof JOURNAL_KINDS

const routeOf = (kind: RequestKind): string => `/torture/${kind}`

const WEIGHTS: { weight: number; value: RequestKind }[] = [
  { weight: 40, value: 'claim' },
  { weight: 8, value: 'claim-all' },
  { weight: 12, value: 'hire' },
  { weight: 10, value: 'parcel' },
  { weight: 10, value: 'offer' },
  { weight: 10, value: 'resale' },
  { weight: 10, value: 'celebrate' },
]

/** The share of poisoned requests, which always fail, whatever batch they are in. */
const POISONED = 0.02

const moreSupply = sql({ name: 'torture-supply', text: `update worker_types set max_supply = 2000000000` })
const overflow = sql({
  name: 'torture-overflow',
  params: { wallet: 'text' },
  text: ({ wallet }) =>
    `update workers set base = 9223372036854775807, since = '2000-01-01' where wallet = ${wallet}`,
})

/** Creates players with workers and credit, and one whose workers make every claim fail with an overflow. */
export async function prepareTorture(owner: Db, clock: Clock) {
  await owner.rows(moreSupply)
  const crews: Crew[] = []
  for (let each = 0; each <= PLAYERS; each++) crews.push(await crew(owner, clock))
  const poisoned = crews.pop()!
  await owner.rows(overflow, { wallet: poisoned.wallet })
  return { crews, poisoned }
}

type Crew = { wallet: string; workers: string[] }

async function crew(owner: Db, clock: Clock): Promise<Crew> {
  const { wallet } = testPlayer()
  const workers: string[] = []
  await owner.transaction(async (tx) => {
    const ledger = await openLedger(tx, [wallet])
    const entries = depositEntries(wallet, cotton(100_000_000_000))
    ledger.post({ wallet, at: clock.now(), kind: 'adjustment', detail: { reason: 'test' }, entries })
    ledger.write()
  })
  for (let each = 0; each < WORKERS_EACH; each++) {
    const key = { route: routeOf('hire'), key: `crew ${each}`, bodyHash: Buffer.from('crew') }
    const hires = [{ wallet, workerType: 'kid' as const, key }]
    const [answer] = await owner.transaction((tx) => hire(tx, hires, clock))
    workers.push(replyOf(answer!).worker.workerId)
  }
  return { wallet, workers }
}

/** Creates a generator of random requests, which are submitted to the product's actions as the routes do. */
export function createRequestGenerator(
  db: Db,
  { random, clock, crews, poisoned }: GeneratorOptions,
): () => TortureRequest {
  const deps = { db, clock, market: createMarket('open') }
  const submitBatched = <Q extends ActionRequest, Reply extends object>(action: Action<Q, Reply>) =>
    submitInBatches(deps, action)
  const submit = {
    claim: submitBatched(claim),
    'claim-all': submitBatched(claimAll),
    hire: submitBatched(hire),
    parcel: submitBatched(buyParcels),
    celebrate: submitBatched(celebrate),
    offer: submitBatched((tx, requests: Parameters<typeof listParcels>[1]) =>
      listParcels(tx, requests, deps),
    ),
    resale: submitBatched((tx, requests: Parameters<typeof buyListings>[1]) =>
      buyListings(tx, requests, deps),
    ),
  }
  const offered: string[] = []
  let count = 0
  return () => {
    const kind = random.weighted(WEIGHTS)
    const isPoison = random.chance(POISONED)
    const withPoison = isPoison && kind === 'claim' && random.chance(0.5)
    const { wallet, workers } = withPoison ? poisoned : random.pick(crews)
    const workerId = random.pick(workers)
    const parcelId = random.pick(PARCELS).parcelId
    const listingId = offered.length > 0 ? random.pick(offered.slice(-400)) : NO_LISTING
    count += 1
    // Postgres text cannot contain a NUL character, so every statement with this key fails.
    const name = isPoison && !withPoison ? `poison \0 ${count}` : `${kind} ${count}`
    const key: IdempotencyKey = { route: routeOf(kind), key: name, bodyHash: Buffer.from(name) }
    const common = { wallet, key }
    const ask: Record<RequestKind, () => Promise<object>> = {
      claim: () => submit.claim({ ...common, workerId }),
      'claim-all': () => submit['claim-all']({ ...common, workerType: null }),
      hire: () => submit.hire({ ...common, workerType: 'kid' }),
      parcel: () => submit.parcel({ ...common, parcelId, expectedPrice: null }),
      offer: async () => {
        const reply = (await submit.offer({ ...common, parcelId, price: cotton(1_000) })) as ReplyOf<
          typeof listParcel
        >
        offered.push(reply.listing.id)
        return reply
      },
      resale: () => submit.resale({ ...common, listingId, expectedPrice: null }),
      celebrate: () => submit.celebrate(common),
    }
    return { kind, wallet, key, isPoison, submit: ask[kind] }
  }
}

type GeneratorOptions = { random: Random; clock: Clock; crews: readonly Crew[]; poisoned: Crew }

const NO_LISTING = '00000000-0000-7000-8000-000000000000'
