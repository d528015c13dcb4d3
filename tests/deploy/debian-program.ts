import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const FOLDER = resolve(import.meta.dirname, '../../.build/debian')

const [MACHINE, LOADER] =
  process.arch === 'arm64' ? ['aarch64', 'ld-linux-aarch64.so.1'] : ['x86_64', 'ld-linux-x86-64.so.2']

/** Where this machine's Debian architecture keeps libraries. */
const LIBRARIES = `usr/lib/${MACHINE}-linux-gnu`

export type DebianProgram = { path: string; env: Record<string, string> }

/**
 * Unpacks packages of Debian under `.build`, without installing them, and returns a program of theirs. Null where
 * `apt-get` cannot download them.
 */
export function unpackDebianProgram(packages: readonly string[], program: string): DebianProgram | null {
  const folder = unpackPackages(packages)
  if (folder === null) return null
  return { path: join(folder, program), env: { LD_LIBRARY_PATH: join(folder, LIBRARIES) } }
}

/**
 * The command of a program of another release of Debian, which runs with that release's own C library: `packages` must
 * name all its libraries. Null where they cannot be had.
 */
export function unpackFromRelease(
  release: string,
  packages: readonly string[],
  program: string,
): { command: string; args: string[] } | null {
  const folder = unpackPackages(packages, release)
  if (!folder) return null
  const libraries = join(folder, LIBRARIES)
  return { command: join(libraries, LOADER), args: ['--library-path', libraries, join(folder, program)] }
}

/** The folder with the unpacked packages: of the machine's own release, or of another. */
function unpackPackages(packages: readonly string[], release?: string): string | null {
  // The list itself may be longer than a file name.
  const list = createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 12)
  const folder = join(FOLDER, `${packages[0]}-${list}`)
  return existsSync(folder) || unpack(packages, folder, release) ? folder : null
}

function unpack(packages: readonly string[], folder: string, release?: string): boolean {
  // Another test file may unpack the same program at the same time.
  const partial = `${folder}.${process.pid}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  const run = (command: string, args: readonly string[]) =>
    spawnSync(command, args, { cwd: partial, stdio: 'ignore' }).status === 0
  const apt = release ? listsOf(release, partial) : []
  // A second try with fresh lists: the mirror removes old versions.
  const downloaded =
    run('apt-get', [...apt, 'download', ...packages]) ||
    (run('apt-get', [...apt, 'update']) && run('apt-get', [...apt, 'download', ...packages]))
  const files = readdirSync(partial).filter((name) => name.endsWith('.deb'))
  if (!downloaded || !files.every((file) => run('dpkg-deb', ['-x', file, '.']))) {
    rmSync(partial, { recursive: true, force: true })
    return false
  }
  if (release) rmSync(join(partial, 'apt'), { recursive: true })
  if (existsSync(folder)) rmSync(partial, { recursive: true })
  else renameSync(partial, folder)
  return true
}

/** Options for `apt-get` that replace the machine's lists of packages by those of a release. */
function listsOf(release: string, folder: string): string[] {
  const apt = join(folder, 'apt')
  for (const each of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(apt, each), { recursive: true })
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg'
  writeFileSync(
    join(apt, 'sources.list'),
    `deb [signed-by=${keys}] http://deb.debian.org/debian ${release} main\n`,
  )
  const options = {
    'Dir::Etc::SourceList': join(apt, 'sources.list'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State::Lists': join(apt, 'lists'),
    'Dir::Cache': join(apt, 'cache'),
  }
  return Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
}
