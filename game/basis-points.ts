/** The basis points of a whole: 10,000 are 100 %. */
export const WHOLE_BPS = 10_000n

/** Basis points as percent, for texts: 250 are 2.5. */
export const percentOf = (bps: bigint): number => Number(bps) / 100
