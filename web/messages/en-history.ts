import { formatCount } from '#game/cotton.ts'

/** The history of a balance. */
export const historyMessages = {
  title: 'Transaction History',
  empty: 'Nothing has happened yet.',
  emptyText: 'Deposits, hires, claims, land and withdrawals will be listed here.',
  failed: 'Your history could not be loaded.',
  more: 'Show more',
  moreFailed: 'The next entries could not be loaded.',
  pending: 'Deposit, still confirming',
  allPickers: 'all pickers',
  hired: (who: string) => `Hired ${who}`,
  boughtLand: (land: string, continent: string | null) =>
    continent === null ? `Bought ${land}` : `Bought ${land}, ${continent}`,
  boughtFrom: (land: string, player: string | null) =>
    player === null ? `Bought ${land}` : `Bought ${land} from ${player}`,
  sold: (land: string, player: string | null) =>
    player === null ? `Sold ${land}` : `Sold ${land} to ${player}`,
  exactly: (amount: string) => `exactly ${amount} $COTTON`,
  claimedFrom: (who: string, count: number | null) =>
    `Claimed from ${who}${count === null ? '' : ` ×${formatCount(count)}`}`,
  kinds: {
    deposit: 'Deposit',
    claim: 'Claimed',
    hire: 'Hired a picker',
    parcel: 'Bought land',
    resale: 'Land resale',
    withdrawal: 'Withdrawal',
    refund: 'Withdrawal refunded',
    adjustment: 'Adjustment',
    cancellation: 'Withdrawal cancelled',
  },
}
