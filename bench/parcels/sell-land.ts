import { setTimeout as sleep } from 'node:timers/promises'
import { type Cotton, cotton, ZERO } from '#game/cotton.ts'
import { nextPrice, START_PRICE } from '#game/parcels.ts'
import { auditPrices } from '#server/ops/audit-prices.ts'
import { type Db, type Sql, sql } from '#server/platform/db/db.ts'
import { type Burst, burst, type Load } from '../burst.ts'
import type { Base, Clients } from '../pgbench.ts'
import type { Turn } from '../rounds.ts'
import type { Buy } from '../sales.ts'
import { type Wish, wishFor } from './buyers.ts'
import { LAND, REGION, STILL_REGION } from './continent.ts'

/** Two percent of it are rounded away: every sale works out and writes the next price, and no purse is too small. */
const STANDING_PRICE = cotton(1)

/** How many steps of the price are looked at one by one. */
const STEPS = 256

// Often enough that the land of a continent is never all sold, and that little of it is at any time.
const GIVE_BACK_MS = 10

const offer = sql(
  'bench-offer-land',
  `update continents set start_price = $2, price = $2, owned = 0, version = version + 1 where code = $1 returning version`,
)
const readContinent = sql('bench-continent', 'select price, owned, version from continents where code = $1')
const readCredit = sql('bench-credit', 'select sum(balance)::text as total from accounts')
const giveBack = sql(
  'bench-give-back',
  'delete from land where parcel_id = any($1::text[]) returning parcel_id, wallet, price_paid',
)
const giveAllBack = sql(
  'bench-give-all-back',
  'delete from land where region = $1 returning parcel_id, wallet, price_paid',
)
const tidy = sql('bench-tidy-land', 'vacuum land')
const unhurried = sql('bench-unhurried', 'set local synchronous_commit = off')

type Deed = { parcel_id: string; wallet: string; price_paid: bigint }

/** A continent whose parcels are sold. What was acknowledged is held against the database, or the run fails. */
export async function openLand(owner: Db) {
  let sales = 0
  let waits = 0
  let misses = 0
  await owner.rows(offer, [STILL_REGION, STANDING_PRICE])

  const takeFrom = (statement: Sql, which: unknown): Promise<Deed[]> =>
    owner.transaction(async (tx) => {
      void tx.rows(unhurried)
      return tx.rows<Deed>(statement, [which])
    })

  /** Takes sold land back to the game; the purchases must be what is in the books. */
  const takeBack = async (sold: readonly Wish[]): Promise<Deed[]> => {
    const deeds = await takeFrom(
      giveBack,
      sold.map((wish) => wish.parcelId),
    )
    const owners = new Map(deeds.map((deed) => [deed.parcel_id, deed.wallet]))
    const lost = sold.filter((wish) => owners.get(wish.parcelId) !== wish.wallet)
    if (lost.length > 0 || deeds.length !== sold.length) {
      throw new Error(`${sold.length} purchases were acknowledged, ${lost.length} of them are not there`)
    }
    sales += sold.length
    return deeds
  }

  /** Takes all land back, where nobody but the database knows what was sold. */
  const takeAllBack = async (): Promise<Deed[]> => {
    const deeds = await takeFrom(giveAllBack, REGION)
    sales += deeds.length
    return deeds
  }
  const creditNow = async () => BigInt((await owner.rows<{ total: string }>(readCredit))[0]!.total)

  /** Sells by `work` from this price on; credit, count and version must have moved by just that. */
  const selling = async <T>(from: Cotton, work: () => Promise<T>, spent: () => bigint): Promise<T> => {
    await owner.rows(tidy)
    const [{ version } = { version: 0n }] = await owner.rows<{ version: bigint }>(offer, [REGION, from])
    const [credit, before] = [await creditNow(), sales]
    const result = await work()
    const [now] = await owner.rows<{ owned: number; version: bigint }>(readContinent, [REGION])
    const [paid, sold] = [credit - (await creditNow()), sales - before]
    if (paid !== spent() || now!.owned !== sold || now!.version !== version + BigInt(sold)) {
      throw new Error(`${sold} sold, ${now!.owned} counted, ${now!.version - version} steps, ${paid} spent`)
    }
    return result
  }

  /** Sells at a standing price. What is sold is given back at once, so that there is always some land. */
  const sellSteadily = <T>(buy: () => Promise<T>, giveBackSold: () => Promise<Deed[]>): Promise<T> => {
    const from = sales
    const over = new AbortController()
    const buyAll = async () => {
      try {
        return await buy()
      } finally {
        over.abort()
      }
    }
    const giveAllBack = async () => {
      // Once more at the end, for what was bought meanwhile.
      for (let last = false; !last;) {
        last = over.signal.aborted
        const deeds = await giveBackSold()
        if (deeds.some((deed) => deed.price_paid !== STANDING_PRICE)) throw new Error('The price has moved')
        if (!last) await sleep(GIVE_BACK_MS)
      }
    }
    const work = async () => (await Promise.all([buyAll(), giveAllBack()]))[0]
    return selling(STANDING_PRICE, work, () => BigInt(sales - from) * STANDING_PRICE)
  }

  /** Sells the first parcels from the game's own price on, and looks at each step of it. */
  const expectSteps = async (buy: () => Promise<unknown>, giveBackSold: () => Promise<Deed[]>) => {
    const prices = Array.from({ length: STEPS - 1 }).reduce<Cotton[]>(
      (all) => [...all, nextPrice(all.at(-1)!)],
      [START_PRICE],
    )
    const work = async () => {
      await buy()
      const [finding] = await auditPrices(owner)
      if (finding) throw new Error(`The prices are broken: ${JSON.stringify(finding)}`)
      await giveBackSold()
    }
    await selling(START_PRICE, work, () => prices.reduce<bigint>((sum, price) => sum + price, ZERO))
  }

  return {
    count: () => sales,
    waits: () => waits,
    misses: () => misses,

    /** Sells on so many lanes for so long. */
    sell(load: Load, buy: Buy<Wish>): Promise<Burst> {
      const free = [...LAND]
      const sold: Wish[] = []
      const take = async (): Promise<string> => {
        if (free.length === 0) waits += 1
        while (free.length === 0) await sleep(1)
        return free.shift()!
      }
      const buyOne = async (lane: number) => {
        const wish = wishFor(await take())
        if (!(await buy(wish, lane))) throw new Error(`${wish.parcelId} was not to be had`)
        return sold.push(wish) > 0
      }
      const giveBackSold = async () => {
        const deeds = sold.length > 0 ? await takeBack(sold.splice(0)) : []
        free.push(...deeds.map((deed) => deed.parcel_id))
        return deeds
      }
      return sellSteadily(() => burst(load, buyOne), giveBackSold)
    },

    /** Sells by a base that chooses parcels for itself; what was sold is what the database says. */
    async sellBy(base: Base, load: Clients): Promise<Turn> {
      const from = sales
      const turn = await sellSteadily(() => base.run(load), takeAllBack)
      const done = sales - from
      if (done > turn.done) throw new Error(`${done} were sold in ${turn.done} transactions`)
      misses += turn.done - done
      return { ...turn, done }
    },

    /** Looks at the price after each of the first purchases, made on so many lanes. */
    async expectSteps(lanes: number, buy: Buy<Wish>): Promise<void> {
      const wishes = LAND.slice(0, STEPS).map(wishFor)
      const rest = [...wishes]
      const buyInTurn = async (lane: number) => {
        for (let wish = rest.pop(); wish; wish = rest.pop()) await buy(wish, lane)
      }
      const buyAll = () => Promise.all(Array.from({ length: lanes }, (_, lane) => buyInTurn(lane)))
      await expectSteps(buyAll, () => takeBack(wishes))
    },

    /** The same of a base. */
    expectStepsBy: (base: Base, clients: number): Promise<void> =>
      expectSteps(() => base.run({ clients, each: STEPS / clients }), takeAllBack),
  }
}
