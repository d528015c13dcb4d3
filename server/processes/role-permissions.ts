import { join } from 'node:path'
import type { Config } from '#server/platform/config.ts'

type PermissionOptions = Pick<Config, 'termsFile' | 'metricsPort' | 'databaseUrl'>

const ROOT = join(import.meta.dirname, '../..')
const CODE = ['server', 'contract', 'game', 'node_modules']

// What prom-client reads of its own process. Never `fd` beside them: behind a folder's descriptor there, `..` leads to
// every file.
const PROCESS_STAT_FILES = ['/proc/self/status', '/proc/self/limits']

/**
 * The flags of Node that confine a role which faces the world: it reads the game's code and what its settings name,
 * writes nothing, starts no process and loads no native code. Without them whatever code runs in it reads the keys of
 * the treasury, because all roles may run as one user. The signer needs its own files, and the local chain native code.
 */
export function permissionFlags(role: string, options: PermissionOptions): string[] {
  if (role !== 'api' && role !== 'watcher') return []
  const files = [join(ROOT, 'package.json'), ...certificateFiles(options.databaseUrl)]
  const folders = CODE.map((folder) => join(ROOT, folder))
  if (role === 'api') {
    folders.push(join(ROOT, '.build/web'))
    if (options.termsFile) files.push(options.termsFile)
    if (options.metricsPort !== 0) files.push(...PROCESS_STAT_FILES)
  }
  const readable = [...files, ...folders.flatMap((folder) => [folder, `${folder}/*`])]
  // SQLite opens files past the permissions.
  return ['--permission', '--no-experimental-sqlite', ...readable.map((path) => `--allow-fs-read=${path}`)]
}

/** The files that a TLS connection to the database names. */
function certificateFiles(databaseUrl: string): string[] {
  const parameters = URL.parse(databaseUrl)?.searchParams
  return ['sslrootcert', 'sslcert', 'sslkey'].flatMap((name) => {
    const path = parameters?.get(name)
    return path && path !== 'system' ? [path] : []
  })
}
