import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { findFreePort } from '#server/processes/ports.ts'
import { findPostgresUser } from '#server/processes/postgres/postgres-user.ts'
import { unpackFromRelease } from '#tests/deploy/debian-program.ts'
import { waitFor } from './run-server.ts'

const SAMPLE = resolve(import.meta.dirname, '../../deploy/cluster/pgbouncer.ini')

/** Named statements work in transaction mode from this version on. */
const OLDEST = { major: 1, minor: 21 }

// Debian 12 has version 1.18, so these are of Debian 13, with all libraries.
const RELEASE = 'trixie'
const PACKAGES =
  'pgbouncer libc6 libaudit1 libcap2 libcap-ng0 libcares2 libevent-2.1-7t64 libpam0g libssl3t64 libsystemd0 libzstd1 zlib1g'.split(
    ' ',
  )

export type PgBouncerCommand = { command: string; args: string[] }

/** PgBouncer 1.21 or newer: the one on the PATH, else that of Debian 13. Null if neither can be had. */
export function findPgBouncer(): PgBouncerCommand | null {
  const installed = { command: 'pgbouncer', args: [] }
  if (isNewEnough(installed)) return installed
  const unpacked = unpackFromRelease(RELEASE, PACKAGES, 'usr/sbin/pgbouncer')
  return unpacked && isNewEnough(unpacked) ? unpacked : null
}

export const NO_PGBOUNCER =
  'PgBouncer 1.21 or newer is neither on the PATH nor could it be downloaded from Debian 13.'

function isNewEnough({ command, args }: PgBouncerCommand): boolean {
  const { stdout } = spawnSync(command, [...args, '--version'], { encoding: 'utf8' })
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? []
  if (major === undefined) return false
  return Number(major) > OLDEST.major || (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor)
}

type ConfigOptions = {
  port: number
  userList: string
  /** Where the sample has HAProxy. */
  server: { host: string; port: number }
  /** Replaces values of the sample, and adds others. */
  settings?: Record<string, string>
}

/** The sample of `deploy/cluster` with the addresses of this machine. */
export function pgBouncerFile({ port, userList, server, settings = {} }: ConfigOptions): string {
  const replaced = { listen_port: String(port), auth_file: userList, ...settings }
  const sample = readFileSync(SAMPLE, 'utf8').replaceAll(
    'host=127.0.0.1 port=5432',
    `host=${server.host} port=${server.port}`,
  )
  return Object.entries(replaced).reduce((text, [name, value]) => {
    const line = new RegExp(`^${name} = .*$`, 'm')
    return line.test(text) ? text.replace(line, `${name} = ${value}`) : `${text}${name} = ${value}\n`
  }, sample)
}

/** The lines of `userlist.txt`: what Postgres has stored for these logins. `url` is a superuser's. */
export async function readUserList(url: string, logins: readonly string[]): Promise<string> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ line: string }>(
      `select format('"%s" "%s"', rolname, rolpassword) as line from pg_authid where rolname = any ($1)`,
      [logins],
    )
    return rows.map(({ line }) => `${line}\n`).join('')
  } finally {
    await client.end()
  }
}

export type Pooler = {
  /** The same login and database, through PgBouncer. */
  through(url: string): string
  signal(signal: NodeJS.Signals): void
  stop(): Promise<void>
}

type StartOptions = { url: string; settings?: Record<string, string> }

/**
 * Starts PgBouncer with the sample's settings in front of a Postgres whose superuser `url` names. It serves every database and
 * login of that Postgres. Null if PgBouncer cannot be had.
 */
export async function startPgBouncer({ url, settings = {} }: StartOptions): Promise<Pooler | null> {
  const found = findPgBouncer()
  if (!found) return null
  const folder = mkdtempSync(join(tmpdir(), 'cotton-farm-pgbouncer-'))
  chmodSync(folder, 0o755)
  const { hostname, port: serverPort, username } = new URL(url)
  const port = await findFreePort()
  const [file, userList] = [join(folder, 'pgbouncer.ini'), join(folder, 'userlist.txt')]
  // Logins that tests create are looked up by the superuser, whose password the pooler has to know for that.
  writeFileSync(userList, `"${username}" "${decodeURIComponent(new URL(url).password)}"\n`)
  const text = pgBouncerFile({
    port,
    userList,
    server: { host: hostname, port: Number(serverPort) },
    settings: { auth_user: username, auth_dbname: 'postgres', ...settings },
  }).replace(/^farm =/m, '* =')
  writeFileSync(file, text)
  const log = openSync(join(folder, 'log'), 'a')
  const { uid, gid } = findPostgresUser()
  const child: ChildProcess = spawn(found.command, [...found.args, file], {
    stdio: ['ignore', log, log],
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  })
  const through = (direct: string): string => Object.assign(new URL(direct), { port: String(port) }).href
  const pooler: Pooler = {
    through,
    signal: (signal) => void child.kill(signal),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
  const answers = async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${readFileSync(join(folder, 'log'))}`)
    const client = new Client({ connectionString: through(url) })
    client.on('error', () => undefined)
    return client
      .connect()
      .then(
        () => true,
        () => false,
      )
      .finally(() => client.end().catch(() => undefined))
  }
  try {
    await waitFor('PgBouncer', answers)
  } catch (error) {
    await pooler.stop()
    throw error
  }
  return pooler
}
