import type { RouteName } from '#contract/routes.ts'
import { PARCELS } from '#game/world.ts'
import type { Owner } from './access-world.ts'

type Input = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: object
}

/** What all calls share: a free parcel for each caller, and a listing of another player. */
export type Shared = { freeParcel(): string; foreignListing: string }

/** The present month in UTC, as the statement wants it. */
const thisMonth = (now: Date): string => now.toISOString().slice(0, 7)

const EUROPE: Input = { query: { regionId: 'EU' } }

/** The calls of each route that act for the owner, with the owner's ids wherever a call can name something. */
export const CALLS: Record<RouteName, (owner: Owner, shared: Shared, now: Date) => Input[]> = {
  requestNonce: ({ wallet }) => [{ body: { walletAddress: wallet.address } }],
  verifyWallet: ({ wallet, signedWithdrawal: { message, signature } }) => [
    { body: { walletAddress: wallet.address, message, signature } },
  ],
  readUser: ({ wallet }) => [{ params: { address: wallet.address } }],
  readSessions: () => [{}],
  readHistory: ({ historyId }) => [{}, { query: { before: historyId } }],
  exportHistory: () => [{}],
  readStatement: (_owner, _shared, now) => [{ query: { month: thisMonth(now) } }],
  exportStatement: (_owner, _shared, now) => [{ query: { month: thisMonth(now) } }],
  readLastSeen: () => [{}],
  readDepositAddress: () => [{}],
  checkDeposit: () => [{}],
  readWalletBalance: () => [{}],
  prepareDeposit: () => [{ body: { amount: 5 } }],
  submitDeposit: ({ signedDeposit }) => [{ body: { transaction: signedDeposit } }],
  readDeposits: () => [{}],
  readChain: () => [{}],
  useFaucet: ({ wallet }) => [{ body: { walletAddress: wallet.address } }],
  challengeWithdrawal: () => [{ body: { amount: 1 } }],
  requestWithdrawal: ({ signedWithdrawal }) => [{ body: signedWithdrawal }],
  cancelWithdrawal: ({ withdrawalId }) => [{ body: { withdrawalId } }],
  readWithdrawals: ({ withdrawalId }) => [{}, { query: { before: withdrawalId } }],
  readWithdrawable: () => [{}],
  readWithdrawalLock: () => [{}],
  setWithdrawalLock: () => [{ body: { hours: 24 } }],
  readWorkerTypes: () => [{}],
  readWorkerSupply: () => [{}],
  readOwnedWorkers: ({ workerId }) => [{}, { query: { after: workerId } }],
  purchaseWorker: ({ wallet }) => [{ body: { workerType: 'kid', walletAddress: wallet.address } }],
  claimWorker: ({ workerId }) => [{ body: { workerId } }],
  claimAllWorkers: () => [{ body: {} }],
  readContinentPrice: () => [{ params: { regionId: 'EU' } }],
  readContinentStats: () => [{}],
  readParcels: ({ wallet }) => [EUROPE, { query: { owner: wallet.address } }],
  purchaseParcel: ({ wallet }, { freeParcel }) => [
    { body: { parcelId: freeParcel(), walletAddress: wallet.address } },
  ],
  readListings: () => [{}],
  readUserListings: ({ wallet }) => [{ params: { wallet: wallet.address } }],
  listParcel: ({ wallet, parcelId }) => [
    { body: { parcelId, price: 200_000, walletAddress: wallet.address } },
  ],
  purchaseListing: ({ wallet }, { foreignListing }) => [
    { body: { listingId: foreignListing, walletAddress: wallet.address } },
  ],
  cancelListing: ({ wallet, listingId }) => [
    { params: { listingId }, body: { walletAddress: wallet.address } },
  ],
  readParcelSales: ({ parcelId }) => [{ params: { parcelId } }],
  readMilestones: () => [{}],
  celebrateMilestones: ({ wallet }) => [{ body: { walletAddress: wallet.address } }],
  readSite: () => [{}],
  readTerms: () => [{}],
  readTransparency: () => [{}],
  endSession: ({ sessionId }) => [{ body: { sessionId } }],
  endOtherSessions: () => [{ body: {} }],
  logout: () => [{ body: {} }],
}

/** Parcels of Europe in their order, each given out once. */
export function takeParcels(): () => string {
  const free = PARCELS.filter(({ regionId }) => regionId === 'EU').map(({ parcelId }) => parcelId)
  return () => free.shift()!
}
