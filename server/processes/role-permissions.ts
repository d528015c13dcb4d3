import { join } from 'node:path'
import type { Config } from '#server/platform/config.ts'

type Needs = Pick<Config, 'termsFile' | 'metricsPort' | 'databaseUrl'>

const ROOT = join(import.meta.dirname, '../..')
const CODE = ['server', 'contract', 'game', 'node_modules']

// What prom-client reads of its own process. Never `fd` beside them: behind a folder's descriptor there, `..` leads to
// every file.
const OWN_FIGURES = ['/proc/self/status', '/proc/self/limits']

/**
 * The flags of Node that confine a role which faces the world: it reads the game's code and what its settings name,
 * writes nothing, starts no process and loads no native code. Without them whatever code runs in it reads the keys of
 * the treasury, because all roles may run as one user. The signer needs its own files, and the local chain native code.
 */
export function permissionFlags(role: string, needs: Needs): string[] {
  if (role !== 'api' && role !== 'watcher') return []
  const files = [join(ROOT, 'package.json'), ...certificatesIn(needs.databaseUrl)]
  const folders = CODE.map((folder) => join(ROOT, folder))
  if (role === 'api') {
    folders.push(join(ROOT, '.build/web'))
    if (needs.termsFile) files.push(needs.termsFile)
    if (needs.metricsPort !== 0) files.push(...OWN_FIGURES)
  }
  const readable = [...files, ...folders.flatMap((folder) => [folder, `${folder}/*`])]
  // SQLite opens files past the permissions.
  return ['--permission', '--no-experimental-sqlite', ...readable.map((path) => `--allow-fs-read=${path}`)]
}

/** The files that a TLS connection to the database names. */
function certificatesIn(databaseUrl: string): string[] {
  const named = URL.parse(databaseUrl)?.searchParams
  return ['sslrootcert', 'sslcert', 'sslkey'].flatMap((name) => {
    const path = named?.get(name)
    return path && path !== 'system' ? [path] : []
  })
}
