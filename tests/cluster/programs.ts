import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { unpackDebianProgram } from '#tests/deploy/debian-program.ts'
import { HAPROXY_PACKAGES } from '#tests/support/haproxy-sample.ts'
import { isProgram } from '../../scripts/find-chromium.mjs'

/** How a program is started. */
export type Program = { command: string; args: readonly string[]; env: Record<string, string> }

/** The programs of a cluster. */
export type Programs = { etcd: Program; patroni: Program; haproxy: Program; postgresFolder: string }

const PYTHON_MODULES =
  'cdiff click colorama dateutil dnspython etcd pkg-resources prettytable psutil psycopg2 six urllib3 wcwidth yaml'.split(
    ' ',
  )

// Debian 12. Without recommended packages: Patroni needs those for other stores than etcd.
const PACKAGES = {
  etcd: ['etcd-server'],
  patroni: ['patroni', ...PYTHON_MODULES.map((name) => `python3-${name}`), 'libyaml-0-2', 'libpq5'],
  haproxy: HAPROXY_PACKAGES,
  postgres: ['postgresql-15', 'postgresql-client-15', 'libpq5'],
}

/**
 * The programs on the PATH, and otherwise those of Debian 12, unpacked under `.build`. Throws an error with a sentence
 * for the operator if one cannot be had.
 */
export function findPrograms(): Programs {
  return {
    etcd: findProgram('etcd', 'usr/bin/etcd', PACKAGES.etcd),
    patroni: findPatroni(),
    haproxy: findHaproxy(),
    postgresFolder: findPostgresFolder(),
  }
}

export const findHaproxy = (): Program => findProgram('haproxy', 'usr/sbin/haproxy', PACKAGES.haproxy)

function findProgram(name: string, path: string, packages: readonly string[]): Program {
  const installed = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
  const own = installed.find(isProgram)
  if (own) return { command: own, args: [], env: {} }
  const unpacked = unpackDebianProgram(packages, path)
  if (!unpacked) throw missing(name)
  return { command: unpacked.path, args: [], env: unpacked.env }
}

function findPatroni(): Program {
  const { command, env } = findProgram('patroni', 'usr/bin/patroni', PACKAGES.patroni)
  if (!env.LD_LIBRARY_PATH) return { command, args: [], env }
  const modules = join(command, '../../lib/python3/dist-packages')
  return { command: '/usr/bin/python3', args: [command], env: { ...env, PYTHONPATH: modules } }
}

function findPostgresFolder(): string {
  const installed = [18, 17, 16, 15].map((version) => `/usr/lib/postgresql/${version}/bin`)
  const own = installed.find((folder) => existsSync(join(folder, 'pg_rewind')))
  if (own) return own
  const unpacked = unpackDebianProgram(PACKAGES.postgres, 'usr/lib/postgresql/15/bin')
  if (!unpacked) throw missing('postgresql-15')
  return unpacked.path
}

const missing = (name: string): Error =>
  new Error(`${name} is neither on the PATH nor could its Debian packages be downloaded: install it.`)
