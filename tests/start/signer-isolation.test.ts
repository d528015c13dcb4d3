import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getBase58Decoder } from '@solana/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { privateKeyAt } from '#server/signer/keys/derive-keys.ts'
import { listProcesses } from '#server/processes/list-processes.ts'
import { readMasterSeed } from '#server/signer/keys/master-seed.ts'
import { findInMemory, findMemoryAccessError } from '#tests/support/find-in-memory.ts'
import { type PlayedWithdrawal, playWithdrawal } from '#tests/support/play-withdrawal.ts'
import {
  makeDataDir,
  listProcessTree,
  type RunningServer,
  runServer,
  waitFor,
} from '#tests/support/run-server.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const MAIN = join(ROOT, 'server/main.ts')

/** Every package that the signer's code imports, and their dependencies. */
const DIRECT_PACKAGES = [
  '@noble/ed25519',
  '@solana-program/compute-budget',
  '@solana-program/memo',
  '@solana-program/system',
  '@solana-program/token',
  '@solana/kit',
  '@solana/wallet-standard-util',
  'pg',
  'pino',
  'uuid',
]
const TRANSITIVE_PACKAGES = [
  '@noble/curves',
  '@noble/hashes',
  '@pinojs/redact',
  '@wallet-standard/base',
  '@wallet-standard/features',
  'atomic-sleep',
  'chalk',
  'commander',
  'on-exit-leak-free',
  'pg-connection-string',
  'pg-int8',
  'pg-pool',
  'pg-protocol',
  'pg-types',
  'pgpass',
  'pino-abstract-transport',
  'pino-std-serializers',
  'postgres-array',
  'postgres-bytea',
  'postgres-date',
  'postgres-interval',
  'process-warning',
  'quick-format-unescaped',
  'real-require',
  'safe-stable-stringify',
  'sonic-boom',
  'split2',
  'thread-stream',
  'undici-types',
  'ws',
  'xtend',
]

/** The runtime imports of a file. Types are stripped, and main.ts loads the code of the started role only. */
function listImports(path: string): string[] {
  const text = readFileSync(path, 'utf8')
  const statements = text.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^'";]*?\bfrom\s+)?'([^']+)'/gm)
  const later = path === MAIN ? [] : text.matchAll(/\bimport\('([^']+)'\)/g)
  return [...statements, ...later].map((match) => match[1]!).filter((name) => !name.startsWith('node:'))
}

function listPackages(entry: string): Set<string> {
  const files = new Set<string>()
  const packages = new Set<string>()
  const walk = (path: string): void => {
    if (files.has(path)) return
    files.add(path)
    for (const name of listImports(path)) {
      if (name.startsWith('#')) walk(join(ROOT, name.slice(1)))
      else if (name.startsWith('.')) walk(join(dirname(path), name))
      else packages.add(name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
    }
  }
  walk(join(ROOT, entry))
  return packages
}

function listTransitivePackages(names: Iterable<string>): Set<string> {
  const all = new Set<string>()
  const walk = (name: string): void => {
    if (all.has(name)) return
    all.add(name)
    const about = JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'))
    for (const needed of Object.keys(about.dependencies ?? {})) walk(needed)
  }
  for (const name of names) walk(name)
  return all
}

/** main.ts, and what it imports when it starts the signer. */
const SIGNER_CODE = [
  'server/main.ts',
  'server/signer/start-signer.ts',
  'server/platform/db/check-login.ts',
  'server/platform/db/unavailable.ts',
  'server/platform/role-term.ts',
  'server/processes/lock-folder.ts',
  'server/processes/name-folder.ts',
]

test('the signer loads ten packages and their dependencies only', () => {
  const named = new Set(SIGNER_CODE.flatMap((file) => [...listPackages(file)]))
  expect([...named].toSorted()).toEqual(DIRECT_PACKAGES)
  const others = [...listTransitivePackages(named)].filter(
    (name) => !named.has(name) && !/^@solana(-program)?\//.test(name),
  )
  expect(others.toSorted()).toEqual(TRANSITIVE_PACKAGES)
  // The check works: the same walk finds a web server for the api.
  expect([...listPackages('server/app.ts')]).toContain('fastify')
})

let folder: ReturnType<typeof makeDataDir>
let server: RunningServer
let played: PlayedWithdrawal
let failedRequestId: string

beforeAll(async () => {
  folder = makeDataDir()
  server = runServer({ dataDir: folder.dataDir, env: { LOG_LEVEL: 'trace' } })
  const url = await server.ready
  // A deposit and a withdrawal, so that every key is used.
  played = await playWithdrawal(url)
  failedRequestId = await failRequest(url)
  await waitFor('the log of the last request', () => server.output().includes('of-a-proxy'))
})

afterAll(async () => {
  server.pressCtrlC()
  await server.ended
  folder.remove()
})

const pidOf = (role: string): number =>
  listProcessTree(server.pid).find(({ command }) => command.trimEnd().endsWith(` ${role}`))!.pid

/** The seed and the treasury's key, in every encoding to search for. */
function secrets(): Map<string, Buffer> {
  const seed = Buffer.from(
    readMasterSeed({ dataDir: folder.dataDir, localChain: true, env: {}, boundTreasury: null }),
  )
  const treasury = Buffer.from(privateKeyAt(seed, `m/44'/501'/0'/1'`))
  const encodings = ([name, bytes]: [string, Buffer]): [string, Buffer][] => [
    [`${name} in bytes`, bytes],
    [`${name} in hex`, Buffer.from(bytes.toString('hex'))],
    [`${name} in HEX`, Buffer.from(bytes.toString('hex').toUpperCase())],
    [`${name} in base64`, Buffer.from(bytes.toString('base64').replace(/=+$/, ''))],
    [`${name} in base58`, Buffer.from(getBase58Decoder().decode(bytes))],
    [`${name} in wide hex`, Buffer.from(bytes.toString('hex'), 'utf16le')],
  ]
  return new Map([...encodings(['the seed', seed]), ...encodings(['the key of the treasury', treasury])])
}

/** The addresses on which a process listens. */
function listeningIn(pid: number): string[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
      } catch {
        return []
      }
    }),
  )
  const LISTEN = '0A'
  return ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/${pid}/net/${kind}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((columns) => columns[3] === LISTEN && sockets.has(columns[9] ?? ''))
      .map((columns) => columns[1]!),
  )
}

test('the signer listens on no port and cannot be called', () => {
  expect(listeningIn(pidOf('api')).length).toBeGreaterThan(0)
  expect(listeningIn(pidOf('signer'))).toEqual([])
})

test('a signal opens no debugger in a process that can read the seed', async () => {
  const pids = [server.pid, pidOf('signer'), pidOf('local-chain')]
  const before = pids.map(listeningIn)
  for (const pid of pids) process.kill(pid, 'SIGUSR1')
  await sleep(1_000)
  expect(pids.map(listeningIn)).toEqual(before)
  // Until the code of a role is loaded, only its flag protects it.
  const flagless = listProcessTree(server.pid)
    .slice(1)
    .filter(({ command }) => command.includes('main.ts') && !command.includes(' --disable-sigusr1 '))
  expect(flagless).toEqual([])
})

test('public-facing roles can read only the game’s code', () => {
  const flagsOf = (role: string) =>
    listProcessTree(server.pid).find(({ command }) => command.trimEnd().endsWith(` ${role}`))!.command
  for (const role of ['api', 'watcher']) {
    expect(flagsOf(role)).toContain(' --permission ')
    expect(flagsOf(role)).not.toMatch(/--allow-(?!fs-read=)/)
    expect(flagsOf(role)).not.toContain(folder.dataDir)
  }
})

test('only the memory of the signer contains the seed', ({ skip }) => {
  const closed = findMemoryAccessError(pidOf('signer'))
  if (closed) skip(`the memory of other processes cannot be read: ${closed}`)
  const needles = secrets()
  // The search works: it finds the seed in the signer.
  expect(findInMemory(pidOf('signer'), needles)).toContain('the seed in bytes')
  const others = ['api', 'watcher', 'local-chain'].map(pidOf)
  for (const pid of [server.pid, ...others]) {
    expect(findInMemory(pid, needles), listProcesses().find((each) => each.pid === pid)?.command).toEqual([])
  }
})

test('no environment, log or file contains the seed', () => {
  const needles = secrets()
  const findNeedles = (place: string, bytes: Buffer): string[] =>
    [...needles].filter(([, needle]) => bytes.includes(needle)).map(([name]) => `${name}: ${place}`)
  const found = [
    ...findNeedles('log', Buffer.from(server.output())),
    ...listProcessTree(server.pid).flatMap(({ pid }) =>
      findNeedles(`environment of ${pid}`, readIfThere(`/proc/${pid}/environ`)),
    ),
    ...filesIn(folder.dataDir).flatMap((path) => findNeedles(path, readIfThere(path))),
  ]
  expect(found).toEqual([])
  expect(server.output()).toContain('"role":"signer"')
  // The search works: it finds known text.
  const passphrase = readFileSync(join(folder.dataDir, 'secrets', 'signer-passphrase'))
  expect(filesIn(folder.dataDir).filter((path) => readIfThere(path).includes(passphrase))).toHaveLength(1)
})

/** A request with a wrong token and the id of a proxy. Returns the id in the response. */
async function failRequest(url: string): Promise<string> {
  const headers = { 'x-request-id': 'of-a-proxy', 'x-auth-token': 'HIDDENTOKEN'.repeat(4) }
  const refused = await fetch(`${url}/api/users/withdrawals`, { headers })
  return refused.headers.get('x-request-id') ?? ''
}

/** The parsed lines of the log. Everything else that is printed is for the person at the terminal. */
function readLog(): Record<string, unknown>[] {
  return server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('every log line is JSON with its role, and requests and withdrawals can be followed by their ids', () => {
  const lines = readLog()
  const printed = server
    .output()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'))
  expect(printed.filter((line) => !/^[A-Z].*(…|\.|\d)$/.test(line))).toEqual([])
  for (const line of lines)
    expect(line).toMatchObject({ role: expect.any(String), level: expect.any(Number) })
  const requested = lines.find(({ msg }) => msg === 'a withdrawal was requested')
  expect(requested).toMatchObject({ role: 'api', withdrawal: played.id, requestId: expect.any(String) })
  expect(lines).toContainEqual(
    expect.objectContaining({ role: 'signer', withdrawal: played.id, transaction: played.signature }),
  )
  const answered = lines.find(
    ({ requestId, msg }) => requestId === requested!.requestId && msg === 'a request was answered',
  )
  expect(answered).toMatchObject({ method: 'POST', route: '/api/users/withdrawals', status: 200 })
  expect(failedRequestId).toBe('of-a-proxy')
  expect(lines).toContainEqual(expect.objectContaining({ requestId: 'of-a-proxy', status: 401 }))
})

test('no log at the level trace contains a token, a signature of a player, a password or a passphrase', () => {
  const files = ['signer-passphrase', 'database-api', 'database-watcher', 'database-signer', 'database-owner']
  const secretsDir = join(folder.dataDir, 'secrets')
  const stored = readdirSync(secretsDir)
    .filter((name) => files.includes(name))
    .map((name): [string, string] => [name, readFileSync(join(secretsDir, name), 'utf8').trim()])
  expect(stored.length).toBeGreaterThan(3)
  const known: [string, string][] = [
    ...Object.entries(played.secrets),
    ...stored,
    ['a wrong token', 'HIDDENTOKEN'],
  ]
  const output = server.output()
  for (const [name, text] of known) {
    expect(text.length, name).toBeGreaterThan(8)
    expect(output.includes(text), name).toBe(false)
    expect(output.includes(Buffer.from(text).toString('base64').slice(0, -3)), `${name} in base64`).toBe(
      false,
    )
  }
  // The search works: it finds what is no secret.
  expect(output).toContain(played.signature)
})

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}

function filesIn(folderPath: string): string[] {
  return readdirSync(folderPath, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) < 2 ** 28)
}
