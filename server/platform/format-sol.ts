export const LAMPORTS_PER_SOL = 1_000_000_000n

/** Formats lamports as SOL with all digits: `1.25`. */
export function formatSol(lamports: bigint): string {
  const fraction = String(lamports % LAMPORTS_PER_SOL)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${lamports / LAMPORTS_PER_SOL}${fraction === '' ? '' : `.${fraction}`}`
}

/** Lamports as SOL. Large amounts lose digits. */
export const toSol = (lamports: bigint): number => Number(lamports) / Number(LAMPORTS_PER_SOL)
