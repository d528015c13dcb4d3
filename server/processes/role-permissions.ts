import { join } from 'node:path'
import type { Config } from '#server/platform/config.ts'
import { urlsOfHosts } from '#server/platform/db/database-url.ts'

type PermissionOptions = Pick<
  Config,
  'termsFile' | 'operatorsFile' | 'metricsPort' | 'databaseUrl' | 'databaseDirectUrl'
>

/**
 * Without this flag, SIGUSR1 lets a Node process listen for a debugger, which may run any code in it. Node's permissions
 * stop no signal, so code in the api would reach the signer that way.
 */
export const NO_DEBUGGER = '--disable-sigusr1'

const ROOT = join(import.meta.dirname, '../..')
const CODE = ['server', 'contract', 'game', 'node_modules']

// The files that prom-client reads about its own process. Never allow `fd`: through the descriptor of a folder, `..`
// reaches every file.
const PROCESS_STAT_FILES = ['/proc/self/status', '/proc/self/limits']

/**
 * The Node flags that confine a role that faces the internet. It can read the game's code and the files in its settings; it
 * cannot write files, start processes or load native code. Without the flags, injected code could read the treasury's keys,
 * because all roles may run as one user. The signer needs its own files and the local chain needs native code.
 */
export function permissionFlags(role: string, options: PermissionOptions): string[] {
  if (role !== 'api' && role !== 'watcher' && role !== 'console') return []
  const urls = [options.databaseUrl, options.databaseDirectUrl]
  const files = [join(ROOT, 'package.json'), ...new Set(urls.flatMap(certificateFiles))]
  const folders = CODE.map((folder) => join(ROOT, folder))
  if (role === 'api') {
    folders.push(join(ROOT, '.build/web'))
    if (options.termsFile) files.push(options.termsFile)
  }
  if (role === 'console') {
    folders.push(join(ROOT, '.build/console'))
    if (options.operatorsFile) files.push(options.operatorsFile)
  }
  if (options.metricsPort !== 0) files.push(...PROCESS_STAT_FILES)
  const readable = [...files, ...folders.flatMap((folder) => [folder, `${folder}/*`])]
  // SQLite opens files without regard to the permissions.
  return ['--permission', '--no-experimental-sqlite', ...readable.map((path) => `--allow-fs-read=${path}`)]
}

/** The files of a TLS connection to the database. */
function certificateFiles(databaseUrl: string): string[] {
  const parameters = URL.parse(urlsOfHosts(databaseUrl)[0] ?? '')?.searchParams
  return ['sslrootcert', 'sslcert', 'sslkey'].flatMap((name) => {
    const path = parameters?.get(name)
    return path && path !== 'system' ? [path] : []
  })
}
