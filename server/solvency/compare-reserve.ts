import type { SignatureStatus } from '#server/chain/port.ts'

/** A deposit account: what the books say came and went, and what the chain said, where it was asked. */
export type AccountReading = {
  /** Credited deposits, all of them, and those up to the slot at which the account was read. */
  credited: bigint
  creditedBySlot: bigint
  /** Sweeps so old that they had landed before the look began. */
  sweptBefore: bigint
  chain: { slot: bigint; amount: bigint } | null
}

/** A transaction of ours whose place on the chain decides what counts. */
export type OwnTransaction = { amount: bigint; status: SignatureStatus | null }

export type ReserveReading = {
  /** The slot of the whole look: that of the treasury, which is read last. */
  slot: bigint
  treasury: bigint
  /** Of cold storage, read with the treasury at that very slot. */
  cold: bigint
  accounts: ReadonlyMap<string, AccountReading>
  /** Sweeps that are open, or were signed so lately that they may have landed while the accounts were read. */
  sweeps: readonly (OwnTransaction & { account: string })[]
  /** Payouts that the books still hold, and those that they settled a moment ago. */
  openPayouts: readonly OwnTransaction[]
  settledPayouts: readonly OwnTransaction[]
  owed: { deposited: bigint; pool: bigint; held: bigint }
  /** Funding of the pool by tokens that came after the slot. */
  fundedAhead: bigint
  /** Of what the accounts count as owed, what the books credited from later slots and no node shows. */
  unproven: bigint
}

/** Tokens beside what is owed, all in base units and as of one slot. */
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
  /** Tokens that nobody is owed; below zero tokens are missing. */
  surplus: bigint
  /** What of it is in the treasury for good: no deposit that waits to be credited is part of it. */
  free: bigint
  /** Payouts that may have landed, and deposits that may have come, although no node says so: it may be their lag. */
  uncertain: bigint
}

/** The slot in which a transaction moved tokens for good; null where it has not, as far as the node knows. */
export function landedAt({ status }: Pick<OwnTransaction, 'status'>): bigint | null {
  return status && !status.failed && status.commitment === 'finalized' ? status.slot : null
}

/**
 * Brings what was read at different moments to one slot. Deposit accounts are read before the treasury, and only our
 * own sweeps take tokens out of them, so what was swept in between is taken off; what came in between is left out on
 * both sides. The books are read last, so what they credited or settled from later slots is taken back.
 */
export function compareReserve(reading: ReserveReading): ReserveComparison {
  const { slot, treasury, cold, accounts, sweeps, openPayouts, settledPayouts, owed, fundedAhead, unproven } =
    reading
  const sweepsOf = Map.groupBy(sweeps, (sweep) => sweep.account)
  let depositAccounts = 0n
  let booked = 0n
  let creditedAhead = fundedAhead
  for (const [name, account] of accounts) {
    const mine = sweepsOf.get(name) ?? []
    const swept = account.sweptBefore + sum(mine.filter((sweep) => hasLandedBy(sweep, slot)))
    if (account.chain === null) {
      const expected = account.credited - swept
      if (expected > 0n) creditedAhead += expected
      else booked += expected
      continue
    }
    const { amount, slot: readAt } = account.chain
    const between = mine.filter((sweep) => hasLandedBy(sweep, slot) && !hasLandedBy(sweep, readAt))
    const unknown =
      readAt < slot ? mine.filter((sweep) => landedAt(sweep) === null && !sweep.status?.failed) : []
    const there = amount - sum(between)
    depositAccounts += there
    booked += min(there - sum(unknown), account.creditedBySlot - swept)
    creditedAhead += account.credited - account.creditedBySlot
  }
  const landed = openPayouts.filter((payout) => hasLandedBy(payout, slot))
  const settledLater = settledPayouts.filter((payout) => (payout.status?.slot ?? 0n) > slot)
  const inFlight = sum(landed) - sum(settledLater)
  const debt = owed.deposited + owed.pool + owed.held - creditedAhead
  return {
    slot,
    treasury,
    cold,
    depositAccounts,
    inFlight,
    ...owed,
    creditedAhead,
    surplus: treasury + cold + depositAccounts + inFlight - debt,
    free: treasury + cold + booked + inFlight - debt,
    uncertain: sum(openPayouts.filter((payout) => landedAt(payout) === null)) + unproven,
  }
}

const sum = (transactions: readonly OwnTransaction[]): bigint =>
  transactions.reduce((total, each) => total + each.amount, 0n)

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

function hasLandedBy(transaction: OwnTransaction, slot: bigint): boolean {
  const landed = landedAt(transaction)
  return landed !== null && landed <= slot
}
