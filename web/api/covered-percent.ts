import type { Cotton } from '#game/cotton.ts'

/**
 * Tokens as a share of what is owed, in percent with at most one decimal; null if one of them is unknown. It is rounded
 * down, so that a shortage of one base unit never reads 100.
 */
export function coveredPercent({
  tokens,
  owed,
}: {
  tokens: Cotton | null
  owed: Cotton | null
}): number | null {
  if (tokens === null || owed === null) return null
  return owed <= 0n ? 100 : Number((tokens * 1_000n) / owed) / 10
}
