const SCHEME_AND_HOST = /^https?:\/\/[^/?#]*/i

/** The path and query of a request target, which may name scheme and host (RFC 9112, 3.2.2). */
export function pathAndQuery(target: string): string {
  if (target.startsWith('/')) return target
  const rest = target.replace(SCHEME_AND_HOST, '')
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest
}
