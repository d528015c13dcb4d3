/**
 * Tokens as a share of what is owed, in percent with at most one decimal. It is rounded down, so that what is short by
 * anything never reads 100.
 */
export function coveredPercent({ tokens, owed }: { tokens: number; owed: number }): number {
  if (owed <= 0) return 100
  const percent = Math.floor((tokens / owed) * 1_000) / 10
  return tokens < owed ? Math.min(percent, 99.9) : Math.max(percent, 100)
}
