import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Log } from '#server/platform/log.ts'
import type { ChildMessage } from './parent-process.ts'
import { StartProblem } from '#server/platform/start-problem.ts'

export interface KeptRole {
  /** What the role said of itself when it was ready for the first time; rejects when it never gets there. */
  ready: Promise<Record<string, string>>
  /** Ends it and starts it again, to load changed code. */
  restart(): void
  stop(): Promise<void>
}

interface KeepOptions {
  role: string
  env: Record<string, string>
  /** Flags of Node, before the program. */
  flags?: string[]
  log: Log
  /** How much longer than others it may take to end. */
  graceMs: number
}

const program = join(import.meta.dirname, '../main.ts')
const firstDelayMs = 200
const longestDelayMs = 5000
const calmAfterMs = 10_000
const triesBeforeReady = 5
// Later than the role cuts itself short.
const stopLimitMs = 5_000

/** Runs one role as a child process and starts it again whenever it dies, sooner or later by how often it did. */
export function keepRunning({ role, env, flags = [], log, graceMs }: KeepOptions): KeptRole {
  const first = Promise.withResolvers<Record<string, string>>()
  // Who stops before the first role is ready never looks at the others.
  first.promise.catch(() => undefined)
  let child: ChildProcess
  let timer: NodeJS.Timeout | undefined
  let delayMs = firstDelayMs
  let failures = 0
  let isUp = false
  let restarting = false
  let stopping = false

  const start = () => {
    let problem: string | undefined
    const startedAt = performance.now()
    child = fork(program, [role], { env, execArgv: flags })
    child.on('message', (message: ChildMessage) => {
      if (message.type === 'problem') problem = message.sentence
      else {
        isUp = true
        first.resolve(message.facts)
      }
    })
    child.once('error', (error) => log.error(error, `The role ${role} cannot be started or reached`))
    child.once('exit', (code, signal) => {
      if (stopping) return
      failures++
      if (!isUp && (problem !== undefined || failures >= triesBeforeReady)) {
        first.reject(new StartProblem(problem ?? `The role ${role} does not start: the reason stands above.`))
        return
      }
      if (restarting || performance.now() - startedAt > calmAfterMs) delayMs = firstDelayMs
      const how = problem ?? signal ?? `code ${code}`
      if (!restarting)
        log.error({ child: role }, `The role ${role} ended (${how}) and starts again in ${delayMs} ms`)
      restarting = false
      timer = setTimeout(start, delayMs)
      delayMs = Math.min(delayMs * 2, longestDelayMs)
    })
  }
  start()

  return {
    ready: first.promise,
    restart: () => {
      restarting = true
      child.kill('SIGTERM')
    },
    stop: () => {
      stopping = true
      clearTimeout(timer)
      return end(child, graceMs + stopLimitMs)
    },
  }
}

async function end(child: ChildProcess, limitMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  child.kill('SIGTERM')
  const hurry = setTimeout(() => child.kill('SIGKILL'), limitMs)
  await ended
  clearTimeout(hurry)
}
