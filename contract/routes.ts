import * as account from './account.ts'
import * as deposits from './deposits.ts'
import { exportHistory, exportStatement, readHistory, readLastSeen, readStatement } from './history.ts'
import * as market from './market.ts'
import { celebrateMilestones, readMilestones } from './milestones.ts'
import * as parcels from './parcels.ts'
import type { Route } from './route.ts'
import { endOtherSessions, endSession, readSessions } from './sessions.ts'
import { readSite, readTerms } from './site.ts'
import { readTransparency } from './transparency.ts'
import { readWithdrawalLock, setWithdrawalLock } from './withdrawal-lock.ts'
import * as withdrawals from './withdrawals.ts'
import * as workers from './workers.ts'

/** Every route by name. The server must serve each of them. OpenAPI and the authorization tests are generated from it. */
export const ROUTES = {
  requestNonce: account.requestNonce,
  verifyWallet: account.verifyWallet,
  logout: account.logout,
  readSessions,
  endSession,
  endOtherSessions,
  readUser: account.readUser,
  readHistory,
  exportHistory,
  readStatement,
  exportStatement,
  readLastSeen,
  readDepositAddress: deposits.readDepositAddress,
  checkDeposit: deposits.checkDeposit,
  readWalletBalance: deposits.readWalletBalance,
  prepareDeposit: deposits.prepareDeposit,
  submitDeposit: deposits.submitDeposit,
  readDeposits: deposits.readDeposits,
  readChain: deposits.readChain,
  useFaucet: deposits.useFaucet,
  challengeWithdrawal: withdrawals.challengeWithdrawal,
  requestWithdrawal: withdrawals.requestWithdrawal,
  cancelWithdrawal: withdrawals.cancelWithdrawal,
  readWithdrawalLock,
  setWithdrawalLock,
  readWithdrawals: withdrawals.readWithdrawals,
  readWithdrawable: withdrawals.readWithdrawable,
  readWorkerTypes: workers.readWorkerTypes,
  readWorkerSupply: workers.readWorkerSupply,
  readOwnedWorkers: workers.readOwnedWorkers,
  purchaseWorker: workers.purchaseWorker,
  claimWorker: workers.claimWorker,
  claimAllWorkers: workers.claimAllWorkers,
  readContinentPrice: parcels.readContinentPrice,
  readContinentStats: parcels.readContinentStats,
  readParcels: parcels.readParcels,
  purchaseParcel: parcels.purchaseParcel,
  readParcelSales: market.readParcelSales,
  readListings: market.readListings,
  readUserListings: market.readUserListings,
  listParcel: market.listParcel,
  purchaseListing: market.purchaseListing,
  cancelListing: market.cancelListing,
  readMilestones,
  celebrateMilestones,
  readSite,
  readTerms,
  readTransparency,
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof ROUTES
