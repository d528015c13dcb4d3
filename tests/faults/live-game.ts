import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '#server/processes/ports.ts'
import { listProcesses, type RunningProcess } from '#server/processes/list-processes.ts'
import { findRunningPostgres } from '#server/processes/postgres/postgres.ts'
import { SETTINGS } from '#tests/cluster/played-game.ts'
import { killServer, listProcessTree, type RunningServer, runServer } from '#tests/support/run-server.ts'
import type { FaultMutant } from './fault-mutants.ts'

const LAST_LINES = 5
const ROOT = join(import.meta.dirname, '../..')
const START_AGAIN_MS = 180_000

/** What can be killed. `backend` is one connection's process of Postgres. */
export const TARGETS = [
  'api',
  'watcher',
  'signer',
  'local-chain',
  'backend',
  'postgres',
  'supervisor',
  'all',
] as const
export type Target = (typeof TARGETS)[number]

type Part = Exclude<Target, 'all'> | 'postgres-helper'

/** Those that have files of the data folder open, besides the supervisor with its lock. */
const WRITERS: readonly Part[] = ['postgres', 'backend', 'postgres-helper', 'local-chain', 'signer']

type GameOptions = {
  mutant?: FaultMutant | undefined
  /** Its processes collect all garbage at the signal SIGUSR2. */
  collects?: boolean
}

type Ports = { api: number; chain: number; metrics: number }

/** The whole game of one machine as `npm start` runs it. Its ports stay the same when it is started again. */
export class LiveGame {
  readonly url: string
  readonly chainUrl: string
  /** The first of the ports on which roles serve metrics. */
  readonly metricsPort: number
  readonly #dataDir: string
  readonly #environment: Record<string, string>
  readonly #command: string[]
  #server: RunningServer | undefined
  /** The name in the command lines of Postgres' processes. */
  #clusterName = ''

  private constructor(dataDir: string, ports: Ports, { mutant, collects }: GameOptions) {
    this.#dataDir = dataDir
    this.url = `http://127.0.0.1:${ports.api}`
    this.chainUrl = `http://127.0.0.1:${ports.chain}`
    this.metricsPort = ports.metrics
    this.#environment = {
      ...SETTINGS,
      PORT: String(ports.api),
      CHAIN_RPC_PORT: String(ports.chain),
      METRICS_PORT: String(ports.metrics),
      NODE_COMPILE_CACHE: join(ROOT, '.build/compile-cache'),
      ...(mutant?.edits && { PRODUCT_EDITS: JSON.stringify(mutant.edits) }),
    }
    const hook = (file: string): string => `--import=${join(ROOT, file)}`
    const flags = [
      ...(mutant?.edits ? [hook('tests/cluster/load-mutant.ts')] : []),
      ...(collects ? ['--expose-gc', hook('tests/faults/collect-on-signal.ts')] : []),
    ]
    this.#command = [process.execPath, ...flags, join(ROOT, 'server/main.ts'), 'all']
  }

  /** Starts the game in an empty folder. Resolves when it is ready. */
  static async start(dataDir: string, options: GameOptions = {}): Promise<LiveGame> {
    const ports = { api: await findFreePort(), chain: await findFreePort(2), metrics: await findFreePort(4) }
    const game = new LiveGame(dataDir, ports, options)
    await game.#startServer()
    return game
  }

  /** The owner's login. The port of Postgres changes when the supervisor is started again. */
  get databaseUrl(): string {
    return findRunningPostgres(this.#dataDir) ?? 'postgres://127.0.0.1:1/none'
  }

  /**
   * Starts the game again after its supervisor was killed, as a service manager does: as often as needed, because its
   * ports may be taken until the old roles have noticed.
   */
  async startAgain(): Promise<void> {
    const deadline = Date.now() + START_AGAIN_MS
    for (;;) {
      try {
        return await this.#startServer()
      } catch (error) {
        if (Date.now() > deadline) throw error
        await sleep(200)
      }
    }
  }

  async #startServer(): Promise<void> {
    const options = { dataDir: this.#dataDir, env: this.#environment, command: this.#command }
    this.#server = runServer(options)
    await this.#server.ready
    this.#list()
  }

  /** The last lines that the game and its Postgres logged. */
  lastWords(): string {
    const postgresLog = join(this.#dataDir, 'postgres.log')
    const logs = [
      this.#server?.output() ?? '',
      existsSync(postgresLog) ? readFileSync(postgresLog, 'utf8') : '',
    ]
    return logs.flatMap((log) => log.trim().split('\n').slice(-LAST_LINES)).join('\n')
  }

  async stop(): Promise<void> {
    killProcesses([...this.#list().values()].flat())
    await killServer(this.#server)
  }

  /** Kills a target. Returns false if it does not run now. */
  kill(target: Target, pick: (of: readonly RunningProcess[]) => RunningProcess): boolean {
    const parts = this.#list()
    const found = target === 'all' ? [...parts.values()].flat() : (parts.get(target) ?? [])
    if (found.length === 0) return false
    killProcesses(target === 'backend' ? [pick(found)] : found)
    return true
  }

  /**
   * Runs `cut`, kills what writes to the data folder, and runs `swap`. The supervisor waits meanwhile and then starts them
   * again; the api and the watcher go on, as if they were on another machine.
   */
  loseDisk(cut: () => void, swap: () => void): void {
    const supervisor = this.#server!.pid
    process.kill(supervisor, 'SIGSTOP')
    cut()
    const parts = this.#list()
    killProcesses(WRITERS.flatMap((part) => parts.get(part) ?? []))
    swap()
    process.kill(supervisor, 'SIGCONT')
  }

  /** Kills everything at once, after `cut`. */
  losePower(cut: () => void): void {
    const all = [...this.#list().values()].flat()
    cut()
    killProcesses(all)
  }

  /** The process of each role, and all processes of Postgres. */
  processes(): Map<string, number[]> {
    const pidsOf = (processes: readonly RunningProcess[]): number[] => processes.map(({ pid }) => pid)
    const parts = this.#list()
    const postgres = ['postgres', 'backend', 'postgres-helper'].flatMap(
      (part) => parts.get(part as Part) ?? [],
    )
    return new Map([
      ...(['supervisor', 'api', 'watcher', 'signer', 'local-chain'] as const).map(
        (part) => [part as string, pidsOf(parts.get(part) ?? [])] as const,
      ),
      ['postgres', pidsOf(postgres)] as const,
    ])
  }

  #list(): Map<Part, RunningProcess[]> {
    const own = listProcessTree(this.#server?.pid ?? -1)
    const postmaster = own.find(({ command }) => command.includes(`-D ${this.#dataDir}/postgres `))
    this.#clusterName = /cluster_name=(\S+)/.exec(postmaster?.command ?? '')?.[1] ?? this.#clusterName
    // After the death of the postmaster its other processes have lost their parent.
    const orphans = listProcesses().filter(
      ({ pid, command }) =>
        this.#clusterName !== '' &&
        command.startsWith(`postgres: ${this.#clusterName}:`) &&
        !own.some((each) => each.pid === pid),
    )
    return Map.groupBy([...own, ...orphans], ({ command }) => this.#partOf(command))
  }

  #partOf(command: string): Part {
    const role = /main\.ts (\S+) $/.exec(command)?.[1]
    if (role) return role === 'all' ? 'supervisor' : (role as Part)
    if (command.includes(`-D ${this.#dataDir}/postgres `)) return 'postgres'
    return / (api|watcher|signer) cotton_farm /.test(command) ? 'backend' : 'postgres-helper'
  }
}

function killProcesses(victims: readonly RunningProcess[]): void {
  for (const { pid } of victims) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}
