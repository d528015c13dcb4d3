import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listProcesses, type RunningProcess } from '#server/processes/list-processes.ts'
import { errorCode } from '#server/platform/startup-error.ts'

const root = resolve(import.meta.dirname, '../..')

export interface RunningServer {
  pid: number
  /** Its output so far. */
  output(): string
  /** The URL in its readiness line. Rejects if the process exits first. */
  ready: Promise<string>
  /** Its exit code; null after a signal. */
  ended: Promise<number | null>
  /** Sends SIGINT to the whole process group, as Ctrl-C does in a terminal. */
  pressCtrlC(): void
}

interface RunServerOptions {
  dataDir: string
  env?: Record<string, string>
  /** `server/main.ts all` by default. */
  command?: string[]
}

/** Starts the whole game as an operator does, on free ports and in its own process group. */
export function runServer({ dataDir, env = {}, command }: RunServerOptions): RunningServer {
  const [program = process.execPath, ...args] = command ?? [
    process.execPath,
    join(root, 'server/main.ts'),
    'all',
  ]
  const child = spawn(program, args, {
    cwd: root,
    detached: true,
    env: { ...baseEnvironment, DATA_DIR: dataDir, PORT: '0', CHAIN_RPC_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ready = Promise.withResolvers<string>()
  ready.promise.catch(() => undefined)
  const appendOutput = (chunk: string) => {
    output += chunk
    const line = /^Cotton Farm is ready: (\S+)$/m.exec(output)
    if (line?.[1]) ready.resolve(line[1])
  }
  child.stdout.setEncoding('utf8').on('data', appendOutput)
  child.stderr.setEncoding('utf8').on('data', appendOutput)
  const ended = new Promise<number | null>((settle) => {
    child.once('close', (code) => {
      ready.reject(new Error(`The server ended with code ${code}:\n${output}`))
      settle(code)
    })
  })
  const pid = child.pid ?? 0
  return {
    pid,
    output: () => output,
    ready: ready.promise,
    ended,
    pressCtrlC: () => process.kill(-pid, 'SIGINT'),
  }
}

const { PATH, HOME, NODE_COMPILE_CACHE } = process.env

/** Lets a process load the game's code as the processes before it have compiled it. */
export const COMPILE_CACHE: Record<string, string> = NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}

// The settings of the shell that runs the tests are not inherited.
const baseEnvironment = { PATH, HOME, ...COMPILE_CACHE, LOG_LEVEL: 'warn' }

/** An empty folder that the Postgres user may enter, and a function that removes it. */
export function makeDataDir(): { dataDir: string; remove(): void } {
  const dataDir = mkdtempSync(join(tmpdir(), 'cotton-farm-start-'))
  return { dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true }) }
}

/** Kills a server with all of its processes, whether or not it has ended already. */
export async function killServer(server: RunningServer | undefined): Promise<void> {
  if (!server) return
  for (const { pid } of listProcessTree(server.pid)) killIfRunning(pid)
  await server.ended
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/** The process and all of its descendants. */
export function listProcessTree(pid: number): RunningProcess[] {
  const all = listProcesses()
  const descend = (parent: RunningProcess): RunningProcess[] => [
    parent,
    ...all.filter((each) => each.parentPid === parent.pid).flatMap(descend),
  ]
  return all.filter((each) => each.pid === pid).flatMap(descend)
}

/** The role of each process of a server; undefined for processes of other programs. */
export const rolesOf = ({ pid }: RunningServer): (string | undefined)[] =>
  listProcessTree(pid).map(({ command }) => /main\.ts (\S+) $/.exec(command)?.[1])

/** Polls until the result is truthy. Fails with `what` after `limitMs`. */
export async function waitFor<T>(
  what: string,
  probe: () => Promise<T> | T,
  limitMs = 60_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + limitMs
  for (;;) {
    const answer = await probe()
    if (answer) return answer
    if (Date.now() > deadline) throw new Error(`Waited ${limitMs} ms for: ${what}`)
    await sleep(50)
  }
}
