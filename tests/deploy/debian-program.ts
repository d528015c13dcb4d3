import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const FOLDER = resolve(import.meta.dirname, '../../.build/debian')

/** Where this machine's Debian architecture keeps libraries. */
const LIBRARIES = `usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`

export type DebianProgram = { path: string; env: Record<string, string> }

/**
 * Unpacks packages of Debian under `.build`, without installing them, and returns a program of theirs. Null where
 * `apt-get` cannot download them.
 */
export function unpackDebianProgram(packages: readonly string[], program: string): DebianProgram | null {
  // The list itself may be longer than a file name.
  const list = createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 12)
  const folder = join(FOLDER, `${packages[0]}-${list}`)
  if (!existsSync(folder) && !unpack(packages, folder)) return null
  return { path: join(folder, program), env: { LD_LIBRARY_PATH: join(folder, LIBRARIES) } }
}

function unpack(packages: readonly string[], folder: string): boolean {
  const partial = `${folder}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  const run = (command: string, args: readonly string[]) =>
    spawnSync(command, args, { cwd: partial, stdio: 'ignore' }).status === 0
  // A second try with fresh lists: the mirror removes old versions.
  const downloaded =
    run('apt-get', ['download', ...packages]) ||
    (run('apt-get', ['update']) && run('apt-get', ['download', ...packages]))
  const files = readdirSync(partial).filter((name) => name.endsWith('.deb'))
  if (!downloaded || !files.every((file) => run('dpkg-deb', ['-x', file, '.']))) {
    rmSync(partial, { recursive: true, force: true })
    return false
  }
  renameSync(partial, folder)
  return true
}
