type Login = { id: string; current: boolean }

/** The session ids that the browser remembers. They are random, so that nothing names the player after a logout. */
export function parseKnownLogins(text: string | null): readonly string[] {
  try {
    const ids: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

/** Whether the browser knows none of a player's logins, as on the player's first visit here. */
const isFirstVisit = (logins: readonly Login[], known: readonly string[]): boolean =>
  !logins.some(({ id }) => known.includes(id))

/**
 * The logins that this browser has to remember now. Its own, because it would announce that one once a later one has
 * replaced it; on its first visit, all of them.
 */
export function loginsToRemember<L extends Login>(logins: readonly L[], known: readonly string[]): L[] {
  const isFirst = isFirstVisit(logins, known)
  return logins.filter(({ id, current }) => (current || isFirst) && !known.includes(id))
}

/**
 * The logins elsewhere that this browser has not seen. The first visit of a browser takes all for known: it is the new
 * device itself. Kept in the browser, because a thief could dismiss a notice that the server keeps.
 */
export function findNewLogins<L extends Login>(logins: readonly L[], known: readonly string[]): L[] {
  if (isFirstVisit(logins, known)) return []
  return logins.filter(({ id, current }) => !current && !known.includes(id))
}
