import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { sellerReceives } from '#game/credit.ts'
import { PARCELS } from '#game/world.ts'
import { buyParcels } from '#server/parcels/buy-parcels.ts'
import { replyOf } from '#server/platform/answer.ts'
import { type TestPlayer } from '#tests/support/test-player.ts'
import { test } from '#tests/support/test-world.ts'
import { buyListings } from './buy-listings.ts'
import { listParcels } from './list-parcels.ts'
import { createMarket } from './market-mode.ts'

/** The number of pairs. `MARKET_PAIRS=10000` makes a long run. */
const PAIRS = Number(process.env.MARKET_PAIRS ?? 300)
const PLAYERS = 12
const AT_ONCE = 8

test(
  `${PAIRS} random pairs who buy from each other at once: no deadlock reaches anyone`,
  { timeout: 600_000 },
  async ({ world }) => {
    const deps = { clock: world.clock, market: createMarket('open') }
    const holders: { player: TestPlayer; parcelId: string }[] = []
    for (let each = 0; each < PLAYERS; each++) {
      const player = await world.player({ deposited: 100_000_000 })
      const { parcelId } = PARCELS[each]!
      const request = { wallet: player.wallet, parcelId, expectedPrice: null, key: null }
      replyOf((await world.db.transaction((tx) => buyParcels(tx, [request], world.clock)))[0]!)
      holders.push({ player, parcelId })
    }
    const offer = async ({ player, parcelId }: (typeof holders)[number]) => {
      const request = { wallet: player.wallet, parcelId, price: cotton(10), key: null }
      return replyOf((await world.db.transaction((tx) => listParcels(tx, [request], deps)))[0]!).listing.id
    }
    const buy = async (player: TestPlayer, listingId: string) => {
      const request = { wallet: player.wallet, listingId, expectedPrice: null, key: null }
      return replyOf((await world.db.transaction((tx) => buyListings(tx, [request], deps)))[0]!)
    }

    const total = async () => {
      const balances = await Promise.all(holders.map(({ player }) => world.balance(player)))
      return balances.reduce((sum, balance) => sum + balance, 0n)
    }
    const before = await total()
    let pairs = 0
    const busy = new Set<number>()
    const pick = (): number => {
      for (;;) {
        const at = Math.floor(Math.random() * PLAYERS)
        if (!busy.has(at) && busy.add(at)) return at
      }
    }
    const swap = async (): Promise<void> => {
      while (pairs < PAIRS) {
        pairs += 1
        const [a, b] = [pick(), pick()]
        const [left, right] = [holders[a]!, holders[b]!]
        const [ofLeft, ofRight] = await Promise.all([offer(left), offer(right)])
        // Both run concurrently, and each locks the other's accounts.
        await Promise.all([buy(left.player, ofRight), buy(right.player, ofLeft)])
        holders[a] = { player: left.player, parcelId: right.parcelId }
        holders[b] = { player: right.player, parcelId: left.parcelId }
        busy.delete(a)
        busy.delete(b)
      }
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, PLAYERS / 2 - 1) }, swap))
    // Each pair makes two sales of 10.
    const fee = cotton(10) - sellerReceives(cotton(10))
    expect(await total()).toBe(before - 2n * BigInt(PAIRS) * fee)
  },
)
