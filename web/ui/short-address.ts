/** The first 6 and last 4 characters: how the game shows every wallet (S-24). */
export function shortAddress(address: string): string {
  return address.length <= 11 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`
}
