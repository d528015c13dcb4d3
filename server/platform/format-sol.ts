export const LAMPORTS_PER_SOL = 1_000_000_000n

/** Formats lamports as SOL with all digits: `1.25`. */
export function formatSol(lamports: bigint): string {
  const fraction = String(lamports % LAMPORTS_PER_SOL)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${lamports / LAMPORTS_PER_SOL}${fraction === '' ? '' : `.${fraction}`}`
}

/** Formats lamports as SOL, rounded to four digits: `1.2500`. */
export const roundToSol = (lamports: bigint): string => toSol(lamports).toFixed(4)

/** Lamports as SOL. Large amounts lose digits. */
export const toSol = (lamports: bigint): number => Number(lamports) / Number(LAMPORTS_PER_SOL)
