import { randomUUID } from 'node:crypto'
import { getBase58Decoder } from '@solana/kit'
import type { ActionName, Actions, Amount } from '#tests/histories/history.ts'
import type { Player } from '#tests/e2e/funded-player.ts'
import type { LoggedAction } from './logged-calls.ts'

export type Offer = { listingId: string; parcelId: string; seller: string; price: number; receives: number }

/** What clients know of the game: only what answers have said. */
export type Known = {
  prices: Record<string, number>
  /** Parcels that nobody is known to own. */
  free: string[]
  /** The continent of each parcel. */
  regions: Record<string, string>
  offers: Map<string, Offer>
  workers: Map<string, string[]>
  land: Map<string, Set<string>>
  withdrawals: Map<string, string[]>
}

const pick = <T>(of: readonly T[]): T | undefined => of[Math.floor(Math.random() * of.length)]

/** Amounts that all differ, so that the checker can tell them apart. */
const anyAmount = (): number => Number((1 + Math.random()).toFixed(6))

type Body = Record<string, unknown>
const balanceOf = (body: Body): { balance: Amount } => ({ balance: body.newBalance as number })

/** What a choice needs: the player, what is known, and a way to make the request. */
type Chance = { player: Player; wallet: string; known: Known }

type Choose = (chance: Chance) => LoggedAction | undefined | Promise<LoggedAction | undefined>

function post<A extends ActionName>(
  { player, wallet }: Chance,
  [action, args]: [A, Actions[A]['args']],
  { path, body }: { path: string; body: object },
  readReply: LoggedAction<A>['readReply'],
): LoggedAction {
  const request = { method: 'POST', path, token: player.token, body } as const
  return { action, wallet, key: randomUUID(), args, request, readReply } as LoggedAction
}

const hire: Choose = (chance) => {
  const type = pick(['kid', 'kid', 'kid', 'bigman'])!
  const target = { path: '/api/workers/purchase', body: { workerType: type, walletAddress: chance.wallet } }
  return post(chance, ['hire', { type, price: chance.known.prices[type]! }], target, (reply) => ({
    workerId: (reply.worker as { workerId: string }).workerId,
    ...balanceOf(reply),
  }))
}

const claim: Choose = (chance) => {
  const workerId = pick(chance.known.workers.get(chance.wallet)?.slice(-20) ?? [])
  if (!workerId) return undefined
  const target = { path: '/api/workers/claim', body: { workerId } }
  return post(chance, ['claim', { workerId }], target, (reply) => ({
    amount: reply.claimedAmount as number,
    ...balanceOf(reply),
  }))
}

const buyParcel: Choose = async (chance) => {
  const parcelId = pick(chance.known.free)
  if (!parcelId) return undefined
  const { body: price } = await chance.player.call(
    'GET',
    `/api/continent-price/${chance.known.regions[parcelId]}`,
  )
  const expectedPrice = (price as { currentPrice?: number }).currentPrice
  if (expectedPrice === undefined) return undefined
  const body = { parcelId, walletAddress: chance.wallet, expectedPrice }
  const target = { path: '/api/parcels/purchase', body }
  return post(chance, ['buy-parcel', { parcelId, price: expectedPrice }], target, balanceOf)
}

/**
 * What a player could list. Whoever was refused has forgotten the parcel, so once the game has none left to sell, a player
 * who knows of none asks.
 */
async function findUnlisted({ player, wallet, known }: Chance): Promise<string[]> {
  const listed = new Set([...known.offers.values()].map(({ parcelId }) => parcelId))
  const land = [...(known.land.get(wallet) ?? [])].filter((each) => !listed.has(each))
  if (land.length > 0 || known.free.length > 0) return land
  const { body: owned } = await player.call('GET', `/api/parcels?owner=${wallet}`)
  const { body: offered } = await player.call('GET', `/api/marketplace/listings/user/${wallet}`)
  for (const { parcelId } of (offered as { listings: { parcelId: string }[] }).listings) listed.add(parcelId)
  const unlisted = (owned as { parcelId: string }[])
    .map(({ parcelId }) => parcelId)
    .filter((each) => !listed.has(each))
  known.land.set(wallet, new Set([...(known.land.get(wallet) ?? []), ...unlisted]))
  return unlisted
}

const list: Choose = async (chance) => {
  const parcelId = pick(await findUnlisted(chance))
  if (!parcelId) return undefined
  const price = 1000 + Math.floor(Math.random() * 9000)
  const target = { path: '/api/marketplace/list', body: { parcelId, price, walletAddress: chance.wallet } }
  return post(chance, ['list', { parcelId, price }], target, ({ listing }) => ({
    listingId: (listing as { id: string }).id,
  }))
}

const buyListing: Choose = (chance) => {
  const { wallet, known } = chance
  const offer = pick([...known.offers.values()].filter(({ seller }) => seller !== wallet))
  if (!offer) return undefined
  const body = { listingId: offer.listingId, walletAddress: wallet, expectedPrice: offer.price }
  return post(chance, ['buy-listing', offer], { path: '/api/marketplace/purchase', body }, balanceOf)
}

const cancel: Choose = (chance) => {
  const { wallet, known } = chance
  const offer = pick([...known.offers.values()].filter(({ seller }) => seller === wallet))
  if (!offer) return undefined
  const { listingId, parcelId, price } = offer
  const target = { path: `/api/marketplace/cancel/${listingId}`, body: { walletAddress: wallet } }
  return post(chance, ['cancel', { listingId, parcelId, price }], target, () => ({}))
}

const withdraw: Choose = async (chance) => {
  const { player } = chance
  const amount = anyAmount()
  const { status, body: challenge } = await player.call('POST', '/api/users/withdrawals/challenge', {
    amount,
  })
  if (status !== 200 || !challenge.message) return undefined
  const body = { amount, message: challenge.message, signature: player.sign(challenge.message) }
  const target = { path: '/api/users/withdrawals', body }
  return post(chance, ['withdraw', { amount }], target, (reply) => ({
    withdrawalId: (reply.withdrawal as { id: string }).id,
    ...balanceOf(reply),
  }))
}

const cancelWithdrawal: Choose = (chance) => {
  const withdrawalId = chance.known.withdrawals.get(chance.wallet)?.at(-1)
  if (!withdrawalId) return undefined
  const target = { path: '/api/users/withdrawals/cancel', body: { withdrawalId } }
  return post(chance, ['cancel-withdrawal', { withdrawalId }], target, () => ({}))
}

const deposit: Choose = async (chance) => {
  const amount = anyAmount()
  const transaction = await chance.player.signDeposit(amount)
  // One signature, of the wallet: it comes first.
  const signature = getBase58Decoder().decode(Buffer.from(transaction, 'base64').subarray(1, 65))
  const target = { path: '/api/deposits/submit', body: { transaction } }
  return post(chance, ['deposit', { signature, amount }], target, () => ({}))
}

const readBalance: Choose = ({ player, wallet }) => {
  const request = { method: 'GET', path: `/api/users/wallet/${wallet}`, token: player.token } as const
  const readReply = (body: Body) => ({ balance: body.creditBalance as number })
  return { action: 'read-balance', wallet, key: null, args: {}, request, readReply }
}

const CHOICES = (
  [
    [hire, 5],
    [claim, 6],
    [buyParcel, 2],
    [list, 3],
    [buyListing, 3],
    [cancel, 1],
    [withdraw, 2],
    [cancelWithdrawal, 1],
    [deposit, 1],
    [readBalance, 3],
  ] as const
).flatMap(([choose, weight]) => Array.from({ length: weight }, () => choose))

/** The next action of a player, or undefined if what was chosen is not possible now. */
export async function chooseAction(player: Player, known: Known): Promise<LoggedAction | undefined> {
  return pick(CHOICES)!({ player, wallet: player.address, known })
}

/** Adds what an answer says to what clients know. */
export function noteOutcome(known: Known, { action, wallet, args }: LoggedAction, body: Body | null): void {
  const { parcelId, listingId, withdrawalId } = args as Record<string, string>
  // Whoever was refused or left without an answer does not try the same again.
  if (action === 'buy-parcel') known.free = known.free.filter((each) => each !== parcelId)
  if (action === 'buy-listing' || action === 'cancel') known.offers.delete(listingId!)
  if (action === 'cancel-withdrawal')
    known.withdrawals.set(
      wallet,
      (known.withdrawals.get(wallet) ?? []).filter((id) => id !== withdrawalId),
    )
  if (body === null) {
    if (action === 'list' || action === 'buy-listing') known.land.get(wallet)?.delete(parcelId!)
    return
  }
  if (action === 'hire') append(known.workers, wallet, (body.worker as { workerId: string }).workerId)
  if (action === 'withdraw') append(known.withdrawals, wallet, (body.withdrawal as { id: string }).id)
  if (action === 'list') {
    const { id, displayPrice, sellerReceives } = body.listing as {
      id: string
      displayPrice: number
      sellerReceives: number
    }
    const offer = { parcelId: parcelId!, seller: wallet, price: displayPrice, receives: sellerReceives }
    known.offers.set(id, { listingId: id, ...offer })
  }
  if (action === 'buy-parcel' || action === 'buy-listing') {
    for (const land of known.land.values()) land.delete(parcelId!)
    known.land.set(wallet, (known.land.get(wallet) ?? new Set()).add(parcelId!))
  }
}

function append(lists: Map<string, string[]>, wallet: string, value: string): void {
  lists.set(wallet, [...(lists.get(wallet) ?? []), value])
}
