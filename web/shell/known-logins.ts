/** Logins that the player has seen in this browser: of one player, as session ids. */
export type KnownLogins = { wallet: string; ids: readonly string[] }

type Login = { id: string; current: boolean }

/** What the browser remembers, or null if it remembers nothing of this player. */
export function parseKnownLogins(text: string | null, wallet: string): KnownLogins | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (typeof value !== 'object' || value === null || !('wallet' in value) || !('ids' in value)) return null
    if (value.wallet !== wallet || !Array.isArray(value.ids)) return null
    return { wallet, ids: value.ids.filter((id) => typeof id === 'string') }
  } catch {
    return null
  }
}

/**
 * The logins elsewhere that this browser has not seen. The first visit of a browser takes all for known: it is the new
 * device itself. Kept in the browser, because a thief could dismiss a notice that the server keeps.
 */
export function findNewLogins<L extends Login>(logins: readonly L[], known: KnownLogins | null): L[] {
  return known === null ? [] : logins.filter(({ id, current }) => !current && !known.ids.includes(id))
}
