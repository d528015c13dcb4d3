import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listProcesses } from '#server/processes/list-processes.ts'
import type { RunningProcess } from '#server/processes/list-processes.ts'

const root = resolve(import.meta.dirname, '../..')

export interface RunningServer {
  pid: number
  /** All that it wrote so far. */
  output(): string
  /** The address in its readiness line; rejects when it ends before. */
  ready: Promise<string>
  /** Its exit code, null after a signal. */
  ended: Promise<number | null>
  /** What Ctrl-C does in a terminal: SIGINT for every process of the group. */
  pressCtrlC(): void
}

interface RunServerOptions {
  dataDir: string
  env?: Record<string, string>
  /** `server/main.ts all` when absent. */
  command?: string[]
}

/** Starts the whole game as a person would, on free ports, in a process group of its own. */
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

// Settings of the shell that runs the tests stay out.
const baseEnvironment = { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'warn' }

/** An empty folder that Postgres' own user may enter, and how to throw it away. */
export function makeDataDir(): { dataDir: string; remove(): void } {
  const dataDir = mkdtempSync(join(tmpdir(), 'cotton-farm-start-'))
  return { dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true }) }
}

/** The process itself and all that it started, directly or not. */
export function listProcessTree(pid: number): RunningProcess[] {
  const all = listProcesses()
  const descend = (parent: RunningProcess): RunningProcess[] => [
    parent,
    ...all.filter((each) => each.parentPid === parent.pid).flatMap(descend),
  ]
  return all.filter((each) => each.pid === pid).flatMap(descend)
}

/** Asks until the answer is something; fails with `what` after `limitMs`. */
export async function waitFor<T>(
  what: string,
  probe: () => Promise<T> | T,
  limitMs = 30_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + limitMs
  for (;;) {
    const answer = await probe()
    if (answer) return answer
    if (Date.now() > deadline) throw new Error(`Waited ${limitMs} ms in vain for: ${what}`)
    await sleep(50)
  }
}
