import type { ContinentCode } from '#game/continents.ts'
import { PARCELS } from '#game/world.ts'
import { type Wish, wishFor } from './buyers.ts'

/** The continent with the most parcels. */
export const REGION: ContinentCode = 'AF'

export const LAND = PARCELS.filter((parcel) => parcel.regionId === REGION).map((parcel) => parcel.parcelId)

/** Buys what is wished for; gives the wish back where it was acknowledged. */
export type Buy = (wish: Wish) => Promise<Wish | null>

export type SoldOut = { sold: Wish[]; refused: number; seconds: number; latencies: number[] }

/**
 * Sells every parcel of the continent once. So many lanes buy beside each other, and each waits for its answer. Where there are more lanes than parcels, those that are left over ask for parcels that
 * somebody else asks for too, and are refused.
 */
export async function sellOut(buy: (lane: number) => Buy, { lanes }: { lanes: number }): Promise<SoldOut> {
  const asked = Math.max(LAND.length, lanes)
  const wishes = Array.from({ length: asked }, (_, at) => wishFor(LAND[at % LAND.length]!))
  const sold: Wish[] = []
  const latencies: number[] = []
  let next = 0
  const from = performance.now()
  const buyInTurn = async (lane: number) => {
    const buyHere = buy(lane)
    while (next < wishes.length) {
      const asking = performance.now()
      const got = await buyHere(wishes[next++]!)
      if (!got) continue
      latencies.push(performance.now() - asking)
      sold.push(got)
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => buyInTurn(lane)))
  const seconds = (performance.now() - from) / 1000
  return { sold, refused: asked - sold.length, seconds, latencies }
}
