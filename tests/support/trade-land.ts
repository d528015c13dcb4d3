import type { cancelListing, listParcel, purchaseListing } from '#contract/market.ts'
import { cotton } from '#game/cotton.ts'
import { PARCELS } from '#game/world.ts'
import { buyListings, type Purchase } from '#server/market/buy-listings.ts'
import { cancelListings } from '#server/market/cancel-listings.ts'
import { listParcels } from '#server/market/list-parcels.ts'
import { createMarket, type Market } from '#server/market/market-mode.ts'
import { type AnswerOf, replyOf } from '#server/platform/answer.ts'
import type { TestPlayer } from './test-player.ts'
import type { TestWorld } from './test-world.ts'

/** A market that is open on every continent. */
export const OPEN_MARKET = createMarket('open')

let nextParcel = 0

/** The next parcel that nobody in this test file has bought. */
export const nextFreeParcel = (): string => PARCELS[nextParcel++]!.parcelId

/** A player who has just bought the next free parcel, and owns nothing else. */
export async function landowner(world: TestWorld): Promise<{ owner: TestPlayer; parcelId: string }> {
  const parcelId = nextFreeParcel()
  const owner = await world.player({ deposited: 1_000_000 })
  await world.buy(owner, parcelId)
  return { owner, parcelId }
}

/** Lists a parcel at this price in whole $COTTON. */
export async function list(
  { db, clock }: TestWorld,
  { wallet }: TestPlayer,
  parcelId: string,
  price: number,
  market: Market = OPEN_MARKET,
): Promise<AnswerOf<typeof listParcel>> {
  const offer = { wallet, parcelId, price: cotton(price), key: null }
  const [answer] = await db.transaction((tx) => listParcels(tx, [offer], { clock, market }))
  return answer!
}

/** The next free parcel with a new owner, who has listed it at this price in whole $COTTON. */
export async function listed(
  world: TestWorld,
  price: number,
): Promise<{ owner: TestPlayer; parcelId: string; listingId: string }> {
  const { owner, parcelId } = await landowner(world)
  const { id } = replyOf(await list(world, owner, parcelId, price)).listing
  return { owner, parcelId, listingId: id }
}

type BuyOptions = Partial<Pick<Purchase, 'expectedPrice' | 'key'>> & { market?: Market }

/** Buys a listing: at any price, without a key and in an open market, unless the options say otherwise. */
export async function buy(
  { db, clock }: TestWorld,
  { wallet }: TestPlayer,
  listingId: string,
  { market = OPEN_MARKET, ...more }: BuyOptions = {},
): Promise<AnswerOf<typeof purchaseListing>> {
  const purchase: Purchase = { wallet, listingId, expectedPrice: null, key: null, ...more }
  const [answer] = await db.transaction((tx) => buyListings(tx, [purchase], { clock, market }))
  return answer!
}

/** Cancels a listing. */
export async function cancel(
  { db, clock }: TestWorld,
  { wallet }: TestPlayer,
  listingId: string,
): Promise<AnswerOf<typeof cancelListing>> {
  const [answer] = await db.transaction((tx) => cancelListings(tx, [{ wallet, listingId, key: null }], clock))
  return answer!
}

/** The code of a refusal, or `done`. */
export const codeOf = ({ refusal }: { refusal?: { code: string } | undefined }): string =>
  refusal?.code ?? 'done'
