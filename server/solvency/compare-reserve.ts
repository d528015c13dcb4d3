import type { SignatureStatus } from '#server/chain/port.ts'

/** A deposit account: what the database recorded, and what the chain shows, if the account was read. */
export type AccountReading = {
  /** All credited deposits, and those up to the slot at which the account was read. */
  credited: bigint
  creditedBySlot: bigint
  /** Sweeps so old that they had landed before the snapshot started. */
  sweptBefore: bigint
  chain: { slot: bigint; amount: bigint } | null
  /** What a node showed after the books were read, if the account was not read before and should hold tokens. */
  later: bigint | null
}

/** A transaction of the game. Its slot decides whether it counts. */
export type OwnTransaction = { amount: bigint; status: SignatureStatus | null }

export type ReserveReading = {
  /** The slot of the snapshot: that of the treasury, which is read last. */
  slot: bigint
  treasury: bigint
  /** The tokens in cold storage, read at the same slot as the treasury. */
  cold: bigint
  accounts: ReadonlyMap<string, AccountReading>
  /** Sweeps that are open, or so recent that they may have landed while the accounts were read. */
  sweeps: readonly (OwnTransaction & { account: string })[]
  /** Payouts whose amount the ledger still holds, and those settled recently. */
  openPayouts: readonly OwnTransaction[]
  settledPayouts: readonly OwnTransaction[]
  owed: { deposited: bigint; pool: bigint; held: bigint }
  /** Funding of the pool with tokens that arrived after the slot. */
  fundedAhead: bigint
  /** Deposits that the ledger credited from later slots and that no node shows. They count as owed. */
  unproven: bigint
}

/** The tokens of the game and what it owes, in base units, as of one slot. */
export type ReserveComparison = {
  slot: bigint
  treasury: bigint
  cold: bigint
  depositAccounts: bigint
  inFlight: bigint
  deposited: bigint
  pool: bigint
  held: bigint
  creditedAhead: bigint
  /** Tokens beyond what is owed; if negative, tokens are missing. */
  surplus: bigint
  /** The part of the surplus that the operator may use: it contains no deposit that is not credited yet. */
  free: bigint
  /** Payouts and deposits that no node shows, although they may have landed: the nodes may lag. */
  uncertain: bigint
}

/** All tokens of the game at the slot, in base units. */
export const tokensOf = ({
  treasury,
  cold,
  depositAccounts,
  inFlight,
}: Pick<ReserveComparison, 'treasury' | 'cold' | 'depositAccounts' | 'inFlight'>): bigint =>
  treasury + cold + depositAccounts + inFlight

/** What the game owes at the slot, in base units: without what the ledger has credited from later slots. */
export const owedBy = ({
  deposited,
  pool,
  held,
  creditedAhead,
}: Pick<ReserveComparison, 'deposited' | 'pool' | 'held' | 'creditedAhead'>): bigint =>
  deposited + pool + held - creditedAhead

/** The slot of a finalized, successful transaction; null for any other, as far as the node knows. */
export function landedAt({ status }: Pick<OwnTransaction, 'status'>): bigint | null {
  return status && !status.failed && status.commitment === 'finalized' ? status.slot : null
}

/**
 * Converts readings of different moments to one slot. Deposit accounts are read before the treasury, and only the game's
 * sweeps take tokens out of them, so sweeps in between are subtracted. Deposits in between are ignored on both sides. The
 * ledger is read last, so what it credited or settled from later slots is reversed.
 */
export function compareReserve(reading: ReserveReading): ReserveComparison {
  const { slot, treasury, cold, accounts, sweeps, openPayouts, settledPayouts, owed, fundedAhead, unproven } =
    reading
  const sweepsOf = Map.groupBy(sweeps, (sweep) => sweep.account)
  let depositAccounts = 0n
  let recorded = 0n
  let creditedAhead = fundedAhead
  let unshown = 0n
  for (const [name, account] of accounts) {
    const mine = sweepsOf.get(name) ?? []
    const swept = account.sweptBefore + sum(mine.filter((sweep) => hasLandedBy(sweep, slot)))
    if (account.chain === null) {
      const expected = account.credited - swept
      if (expected > 0n) {
        // A sweep may have moved the tokens since.
        const moved = sum(mine.filter((sweep) => !hasLandedBy(sweep, slot)))
        const shown = account.later === null ? expected : min(expected, account.later + moved)
        creditedAhead += shown
        unshown += expected - shown
      } else recorded += expected
      continue
    }
    const { amount, slot: readAt } = account.chain
    const between = mine.filter((sweep) => hasLandedBy(sweep, slot) && !hasLandedBy(sweep, readAt))
    const unknown =
      readAt < slot ? mine.filter((sweep) => landedAt(sweep) === null && !sweep.status?.failed) : []
    const balance = amount - sum(between)
    depositAccounts += balance
    recorded += min(balance - sum(unknown), account.creditedBySlot - swept)
    creditedAhead += account.credited - account.creditedBySlot
  }
  const landed = openPayouts.filter((payout) => hasLandedBy(payout, slot))
  const settledLater = settledPayouts.filter((payout) => (payout.status?.slot ?? 0n) > slot)
  const inFlight = sum(landed) - sum(settledLater)
  const debt = owedBy({ ...owed, creditedAhead })
  return {
    slot,
    treasury,
    cold,
    depositAccounts,
    inFlight,
    ...owed,
    creditedAhead,
    surplus: tokensOf({ treasury, cold, depositAccounts, inFlight }) - debt,
    free: treasury + cold + recorded + inFlight - debt,
    uncertain: sum(openPayouts.filter((payout) => landedAt(payout) === null)) + unproven + unshown,
  }
}

const sum = (transactions: readonly OwnTransaction[]): bigint =>
  transactions.reduce((total, each) => total + each.amount, 0n)

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

function hasLandedBy(transaction: OwnTransaction, slot: bigint): boolean {
  const landed = landedAt(transaction)
  return landed !== null && landed <= slot
}
