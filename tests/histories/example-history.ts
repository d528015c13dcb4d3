import type { Answer, Call, HistoryEvent } from './history.ts'
import { ExampleGame, PARCEL_PRICE, PARCELS, TYPES } from './example-game.ts'

/** How a cluster or the game may be broken. */
const MUTANTS = [
  'async-commit',
  'ack-before-commit',
  'key-outside-the-transaction',
  'retry-without-key',
  'two-primaries',
  'pay-cancelled',
] as const
export type Mutant = (typeof MUTANTS)[number]

const WALLETS = ['ana', 'bob', 'eve']
const CLIENTS_EACH = 2
const ENDS_AT = 4000
const FAILOVER_AT = 2500
/** What two primaries accept, or one loses, before somebody notices. */
const DAMAGE_MS = 600

/**
 * A history of clients whose calls overlap, whose answers are lost at times, and who repeat with the same key or give
 * up. In its middle the server fails over: correctly, or with a mutant.
 */
export function playHistory(seed: number, mutant?: Mutant): HistoryEvent[] {
  const random = createRandom(seed)
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!
  const chance = (probability: number): boolean => random() < probability
  const timeline = new Timeline()
  const events: HistoryEvent[] = []
  let game = new ExampleGame()
  for (const wallet of WALLETS) game.run(createCall({ wallet, action: 'read-balance', args: {} }))
  let other: ExampleGame | undefined
  let calls = 0
  const isDamaged = (): boolean => timeline.now > FAILOVER_AT - DAMAGE_MS && timeline.now < FAILOVER_AT

  /** Runs the call on the server, as the mutant does. */
  const execute = (call: Call, client: number): Omit<Answer, 'event' | 'call' | 'at'> & object => {
    if (mutant === 'retry-without-key' && call.key !== null && chance(0.05)) game.answer(call, false)
    if (mutant === 'ack-before-commit' && isDamaged()) return game.copy().answer(call)
    if (mutant === 'key-outside-the-transaction' && isDamaged()) return game.answer(call, chance(0.5))
    return (client % 2 === 1 && other ? other : game).answer(call)
  }

  const attempt = (call: Omit<Call, 'call' | 'at'>, client: number): void => {
    const made = { ...call, call: ++calls, at: timeline.now } as Call
    events.push(made)
    const isLost = chance(isDamaged() ? 0.5 : 0.05)
    const reachesServer = !isLost || chance(0.6)
    timeline.after(1 + random() * (isLost ? 300 : 30), () => {
      const answer = reachesServer ? execute(made, client) : null
      if (isLost) return
      timeline.after(random() * 20, () => {
        events.push({ event: 'answer', call: made.call, at: timeline.now, ...answer } as Answer)
        timeline.after(random() * 40, () => act(client))
      })
    })
    if (!isLost) return
    timeline.after(100, () => {
      events.push({ event: 'answer', call: made.call, at: timeline.now, outcome: 'unknown' })
      timeline.after(20, () => (call.key !== null && chance(0.8) ? attempt(call, client) : act(client)))
    })
  }

  const act = (client: number): void => {
    if (timeline.now > ENDS_AT) return
    const wallet = WALLETS[client % WALLETS.length]!
    const key = `key-${seed}-${calls}-${client}`
    // Sums of amounts that all differ say which they are of.
    const amount = (1 + random()).toFixed(6)
    attempt(chooseAction({ game, wallet, pick, key, amount }), client)
  }

  const work = (): void => {
    if (mutant === 'pay-cancelled') game.payWithdrawals({ ofCancelled: true })
    game.refundCancelled()
    game.creditDeposits()
    // So late that there is something to cancel for as long as clients act.
    if (timeline.now > ENDS_AT) game.payWithdrawals()
    if (timeline.now < ENDS_AT + 1000) timeline.after(200, work)
  }
  events.push(game.state(0))
  for (let client = 0; client < WALLETS.length * CLIENTS_EACH; client++)
    timeline.after(random() * 20, () => act(client))
  timeline.after(100, work)
  if (mutant === 'async-commit') {
    let standby = game
    timeline.after(FAILOVER_AT - DAMAGE_MS, () => (standby = game.copy()))
    timeline.after(FAILOVER_AT, () => (game = standby))
  }
  if (mutant === 'two-primaries') {
    timeline.after(FAILOVER_AT - DAMAGE_MS, () => (other = game.copy()))
    timeline.after(FAILOVER_AT, () => (other = undefined))
  }
  timeline.run()
  events.push(game.state(timeline.now + 1))
  return events
}

type Choice = { game: ExampleGame; wallet: string; pick<T>(of: readonly T[]): T; key: string; amount: string }

function chooseAction({ game, wallet, pick, key, amount }: Choice): Omit<Call, 'call' | 'at'> {
  const own = game.workers.filter((worker) => worker.wallet === wallet)
  const type = pick(['kid', 'kid', 'bigman'] as const)
  const active = game.listings.filter(({ state }) => state === 'active')
  const ownActive = active.filter(({ seller }) => seller === wallet)
  const offered = active.filter(({ seller }) => seller !== wallet)
  const land = PARCELS.filter((parcelId) => game.owners[parcelId] === wallet)
  const open = game.withdrawals.filter((each) => each.wallet === wallet && !each.cancelled)
  const parcelId = pick(PARCELS)
  const call = (action: Call['action'], args: object) => [createCall({ wallet, action, args, key })]
  return pick([
    ...call('hire', { type, price: TYPES[type].price }),
    ...own.slice(0, 2).flatMap(({ id }) => call('claim', { workerId: id })),
    ...call('buy-parcel', { parcelId, price: PARCEL_PRICE }),
    ...land.flatMap((owned) => call('list', { parcelId: owned, price: '120' })),
    ...offered.flatMap(({ id, parcelId: sold, seller, price }) =>
      call('buy-listing', { listingId: id, parcelId: sold, seller, price, receives: '108.5' }),
    ),
    ...ownActive
      .slice(0, 1)
      .flatMap(({ id, parcelId: listed, price }) =>
        call('cancel', { listingId: id, parcelId: listed, price }),
      ),
    ...call('withdraw', { amount }),
    ...call('deposit', { signature: `signature-${key}`, amount }),
    ...open.slice(0, 1).flatMap(({ id }) => call('cancel-withdrawal', { withdrawalId: id })),
    { ...createCall({ wallet, action: 'read-balance', args: {} }), key: null },
    { ...createCall({ wallet, action: 'read-owner', args: { parcelId } }), key: null },
  ])
}

function createCall(call: Pick<Call, 'wallet' | 'action'> & { args: object; key?: string }): Call {
  return { event: 'call', call: 0, at: 0, key: null, ...call } as Call
}

/** Runs what is planned in the order of its time. */
class Timeline {
  now = 0
  readonly #planned: { at: number; run(): unknown }[] = []

  after(ms: number, run: () => unknown): void {
    this.#planned.push({ at: this.now + ms, run })
  }

  run(): void {
    while (this.#planned.length > 0) {
      const next = this.#planned.reduce((first, each) => (each.at < first.at ? each : first))
      this.#planned.splice(this.#planned.indexOf(next), 1)
      this.now = next.at
      next.run()
    }
  }
}

/** mulberry32 */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
