import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Log } from '#server/platform/log.ts'
import type { ChildMessage } from './parent-process.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { NO_DEBUGGER } from './role-permissions.ts'

export interface SupervisedProcess {
  /**
   * The facts that the role reported when it was first ready, or none in an outage that the game can start in. Rejects if it
   * never becomes ready.
   */
  ready: Promise<Record<string, string>>
  /** Restarts it, to load changed code. */
  restart(): void
  stop(): Promise<void>
}

interface SuperviseProcessOptions {
  role: string
  env: Record<string, string>
  /** Node flags. */
  flags?: string[]
  log: Log
  /** The extra time that it may take to stop. */
  graceMs: number
}

const program = join(import.meta.dirname, '../main.ts')
// Host name and process id do not name a supervisor: containers on two machines may share both.
const supervisorId = randomUUID()
const firstDelayMs = 200
const longestDelayMs = 5000
const stableAfterMs = 10_000
const maxStartAttempts = 5
// Longer than the time limit that the role has for itself.
const stopTimeoutMs = 5_000

/** Runs a role as a child process and restarts it with exponential backoff when it exits. */
export function superviseProcess({
  role,
  env,
  flags = [],
  log,
  graceMs,
}: SuperviseProcessOptions): SupervisedProcess {
  const first = Promise.withResolvers<Record<string, string>>()
  // If the start is cancelled before this role is ready, nobody awaits its promise.
  first.promise.catch(() => undefined)
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let delayMs = firstDelayMs
  let failures = 0
  let isReady = false
  let restarting = false
  let stopping = false
  const becomeReady = (facts: Record<string, string>) => {
    isReady = true
    first.resolve(facts)
  }

  const start = () => {
    let problem: Extract<ChildMessage, { type: 'problem' }> | undefined
    const startedAt = performance.now()
    const startAgain = (outcome: string) => {
      if (stopping) return
      failures++
      // Players can do what needs no chain. The role is started again until the outage is over.
      if (problem?.isOutage) becomeReady({})
      if (!isReady && (problem?.mayPass === false || failures >= maxStartAttempts)) {
        first.reject(
          new StartupError(
            problem?.sentence ?? `The role ${role} does not start: the reason is in the log above.`,
          ),
        )
        return
      }
      if (restarting || performance.now() - startedAt > stableAfterMs) delayMs = firstDelayMs
      const reason = problem?.sentence ?? outcome
      if (!restarting)
        log.error({ child: role }, `The role ${role} ended (${reason}) and starts again in ${delayMs} ms`)
      restarting = false
      timer = setTimeout(start, delayMs)
      delayMs = Math.min(delayMs * 2, longestDelayMs)
    }
    const ownFlags = [NO_DEBUGGER, ...flags]
    const started = forkRole({ role, env: { ...env, SUPERVISOR_ID: supervisorId }, flags: ownFlags })
    if (started instanceof Error) return startAgain(started.message)
    child = started
    started.on('message', (message: ChildMessage) => {
      if (message.type === 'problem') problem = message
      else becomeReady(message.facts)
    })
    started.once('error', (error) => {
      log.error(error, `The role ${role} cannot be started or reached`)
      // A process that did not start does not exit.
      if (started.pid === undefined) startAgain(error.message)
    })
    started.once('exit', (code, signal) => startAgain(signal ?? `code ${code}`))
  }
  start()

  return {
    ready: first.promise,
    restart: () => {
      restarting = true
      child?.kill('SIGTERM')
    },
    stop: () => {
      stopping = true
      clearTimeout(timer)
      return stopChild(child, graceMs + stopTimeoutMs)
    },
  }
}

/** The process, or why there is none. Without memory or with too large an environment, `fork` throws. */
function forkRole({
  role,
  env,
  flags,
}: Required<Pick<SuperviseProcessOptions, 'role' | 'env' | 'flags'>>): ChildProcess | Error {
  try {
    return fork(program, [role], { env, execArgv: flags })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function stopChild(child: ChildProcess | undefined, timeoutMs: number): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  child.kill('SIGTERM')
  const killTimer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  await ended
  clearTimeout(killTimer)
}
