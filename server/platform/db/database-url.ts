const PATTERN = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*)([/?#].*)?$/

/** Stands for the hosts while the rest of a URL is changed: `URL` parses one host only. */
const PLACEHOLDER = 'hosts.invalid'

/**
 * One URL for each host of a database URL, in their order. As in libpq, `postgres://login@h1:5432,h2:5432/game` names
 * several servers of one cluster (PostgreSQL, "Specifying Multiple Hosts").
 */
export function urlsOfHosts(url: string): string[] {
  const [, before, hosts, after = ''] = PATTERN.exec(url) ?? []
  if (before === undefined || !hosts?.includes(',')) return [url]
  return hosts.split(',').map((host) => `${before}${host}${after}`)
}

/** Changes login, password or database of a URL, whether it names one host or several. */
export function changeDatabaseUrl(url: string, change: (parsed: URL) => void): string {
  const [, before, hosts, after = ''] = PATTERN.exec(url) ?? []
  if (before === undefined || !hosts?.includes(',')) {
    const parsed = new URL(url)
    change(parsed)
    return parsed.href
  }
  const parsed = new URL(`${before}${PLACEHOLDER}${after}`)
  change(parsed)
  return parsed.href.replace(PLACEHOLDER, () => hosts)
}

/** Why a database URL cannot be used; null if it can. The reason never contains the URL, which has a password. */
export function findUrlProblem(url: string): string | null {
  const urls = urlsOfHosts(url)
  for (const each of urls) {
    const parsed = URL.parse(each)
    if (!parsed || !['postgres:', 'postgresql:'].includes(parsed.protocol) || !parsed.hostname)
      return 'an address like postgres://…'
    const target = parsed.searchParams.get('target_session_attrs')
    if (target !== null && target !== 'read-write' && target !== 'primary')
      return 'one with target_session_attrs=read-write or none: the game writes'
  }
  return null
}
