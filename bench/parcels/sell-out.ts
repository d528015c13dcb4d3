import type { ContinentCode } from '#game/continents.ts'
import { PARCELS } from '#game/world.ts'
import { type Wish, wishFor } from './buyers.ts'

/** The continent with the most parcels. */
export const REGION: ContinentCode = 'AF'

export const LAND = PARCELS.filter((parcel) => parcel.regionId === REGION).map((parcel) => parcel.parcelId)

/** Buys what is wished for; gives the wishes that were acknowledged. */
export type Buy = (wishes: readonly Wish[]) => Promise<Wish[]>

export type SoldOut = { sold: Wish[]; refused: number; seconds: number; latencies: number[] }

/**
 * Sells every parcel of the continent once. So many lanes buy beside each other, each a few parcels at a time, and
 * each waits for its answer. Where there are more lanes than parcels, those that are left over ask for parcels that
 * somebody else asks for too, and are refused.
 */
export async function sellOut(
  buy: (lane: number) => Buy,
  { lanes, atATime = 1 }: { lanes: number; atATime?: number },
): Promise<SoldOut> {
  const asked = Math.max(LAND.length, lanes * atATime)
  const wishes = Array.from({ length: asked }, (_, at) => wishFor(LAND[at % LAND.length]!))
  const sold: Wish[] = []
  const latencies: number[] = []
  let next = 0
  const from = performance.now()
  const buyInTurn = async (lane: number) => {
    const buyHere = buy(lane)
    while (next < wishes.length) {
      const mine = wishes.slice(next, (next += atATime))
      const asking = performance.now()
      const got = await buyHere(mine)
      const took = performance.now() - asking
      sold.push(...got)
      latencies.push(...got.map(() => took))
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => buyInTurn(lane)))
  const seconds = (performance.now() - from) / 1000
  return { sold, refused: asked - sold.length, seconds, latencies }
}
