import { type TokenRow, uiAmount } from '#local-chain/token-rows.ts'

/** The token balances of a transaction, as a node lists them. */
export type Balances = { before: readonly TokenRow[]; after: readonly TokenRow[] }

/**
 * The same balances with larger amounts, as a node reports them that lies and does not contradict itself: what the
 * receivers have more afterwards, a sender had more before. An owner can be left out.
 */
export function inflateTransfer(
  { before, after }: Balances,
  { mint, except = null, by }: { mint: string; except?: string | null; by: bigint },
): { before: TokenRow[]; after: TokenRow[] } {
  const unitsOf = (rows: readonly TokenRow[], index: number): bigint =>
    BigInt(rows.find(({ accountIndex }) => accountIndex === index)?.uiTokenAmount.amount ?? 0)
  const gainOf = ({ accountIndex: at }: TokenRow): bigint => unitsOf(after, at) - unitsOf(before, at)
  const raise = (row: TokenRow, units: bigint): TokenRow => {
    const { amount, decimals } = row.uiTokenAmount
    return { ...row, uiTokenAmount: uiAmount(BigInt(amount) + units, decimals) }
  }
  const receivers = after.filter((row) => row.mint === mint && row.owner !== except && gainOf(row) > 0n)
  const sender = before.find((row) => row.mint === mint && gainOf(row) < 0n)
  return {
    before: before.map((row) => (row === sender ? raise(row, by * BigInt(receivers.length)) : row)),
    after: after.map((row) => (receivers.includes(row) ? raise(row, by) : row)),
  }
}
