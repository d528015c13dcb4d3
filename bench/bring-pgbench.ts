import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { findBinaries } from '#server/processes/postgres/postgres-binaries.ts'

/** A `pgbench` that runs here, and what its environment needs. */
export type Pgbench = { program: string; env: Record<string, string>; version: string }

const FOLDER = resolve(import.meta.dirname, '../.build/bench/pgbench')

/**
 * The `pgbench` on the PATH; where there is none, Debian's, unpacked into the build folder and run with the client
 * library of the built-in Postgres. Nothing of the machine is changed.
 */
export function bringPgbench(say: (line: string) => void): Pgbench {
  const here = inPath() ?? unpacked()
  if (here) return here
  say('Fetching pgbench from Debian …')
  fetchFromDebian()
  const brought = unpacked()
  if (!brought) {
    throw new Error(
      'The base is pgbench, and there is none: install Postgres’ client programs (Debian: postgresql-contrib; Homebrew: postgresql@18).',
    )
  }
  return brought
}

const inPath = (): Pgbench | undefined => thatRuns('pgbench', {})

function unpacked(): Pgbench | undefined {
  const [version] = readDirectory(join(FOLDER, 'usr/lib/postgresql'))
  if (version === undefined) return undefined
  const libraries = join(dirname(findBinaries({ prefix: [] })), 'lib')
  return thatRuns(join(FOLDER, 'usr/lib/postgresql', version, 'bin/pgbench'), { LD_LIBRARY_PATH: libraries })
}

function thatRuns(program: string, env: Record<string, string>): Pgbench | undefined {
  const { status, stdout } = spawnSync(program, ['--version'], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  const version = /^pgbench \(PostgreSQL\) (\S+)/.exec(stdout ?? '')?.[1]
  return status === 0 && version !== undefined ? { program, env, version } : undefined
}

/** The package that Debian's `postgresql` stands for at the time has it. */
function fetchFromDebian(): void {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const read = (program: string, args: string[]) =>
    spawnSync(program, args, { cwd: FOLDER, encoding: 'utf8' }).stdout ?? ''
  const server = /Depends: (postgresql-\d+)/.exec(read('apt-cache', ['depends', 'postgresql']))?.[1]
  if (server === undefined) return
  read('apt-get', ['download', '-qq', server])
  const file = readDirectory(FOLDER).find((name) => name.endsWith('.deb'))
  if (file === undefined) return
  read('dpkg-deb', ['-x', file, '.'])
  rmSync(join(FOLDER, file))
}

function readDirectory(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
