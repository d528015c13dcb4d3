import { toDecimal } from '#game/cotton.ts'

/** An amount in base units as the console sends it. */
export const exact = (units: bigint | string): string => toDecimal(BigInt(units))

/** The same, or null. */
export const exactOrNull = (units: bigint | null): string | null => (units === null ? null : toDecimal(units))

/** An instant as the console sends it. */
export const instant = (at: Date): string => at.toISOString()
export const instantOrNull = (at: Date | null): string | null => at?.toISOString() ?? null
