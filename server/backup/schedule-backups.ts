import { spawn } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import type { Log } from '#server/platform/log.ts'
import { findRunningPostgres } from '#server/processes/postgres/postgres.ts'
import { backupEnvironment } from '#server/processes/role-environment.ts'
import { NO_DEBUGGER } from '#server/processes/role-permissions.ts'

const PROGRAM = join(import.meta.dirname, '../main.ts')

/** A start is not slowed down by a backup that is due. */
const FIRST_DELAY_MS = 5_000
const RETRY_MS = 300_000

/** While a machine sleeps, its timers stand still and its clock does not. So the clock is read again after this time. */
const CHECK_EVERY_MS = 60_000

type Outcome = { code: number | null; output: string }

type Schedule = {
  config: Config
  clock: Clock
  log: Log
  /** Makes one backup. Default: in a process of its own. */
  backup?(config: Config, signal: AbortSignal): Promise<Outcome>
  firstDelayMs?: number
  checkEveryMs?: number
}

/** Makes a backup each `BACKUP_EVERY`, in a process of its own. A backup that fails is tried again after five minutes. */
export function scheduleBackups({
  config,
  clock,
  log,
  backup = runBackup,
  firstDelayMs = FIRST_DELAY_MS,
  checkEveryMs = CHECK_EVERY_MS,
}: Schedule): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const pause = (ms: number) => sleep(ms, undefined, { signal })
  const success = lastSuccess(join(config.dataDir, 'last-backup'), log)
  const untilDue = () => {
    const elapsedMs = clock.now().getTime() - success.read()
    // A clock that was set back says nothing about the age of the last backup.
    return elapsedMs < 0 ? 0 : config.backupIntervalMs - elapsedMs
  }
  const run = async () => {
    await pause(firstDelayMs)
    for (;;) {
      const dueInMs = untilDue()
      if (dueInMs > 0) {
        await pause(Math.min(dueInMs, checkEveryMs))
        continue
      }
      const { code, output } = await backup(config, signal).catch(notStarted)
      if (signal.aborted) return
      if (code === 0) {
        success.write(clock.now())
        log.info(output)
      } else {
        log.error({ reason: output }, 'The scheduled backup failed and is tried again')
        await pause(Math.min(RETRY_MS, config.backupIntervalMs))
      }
    }
  }
  const running = run().catch((error: unknown) => {
    if (!signal.aborted) log.error(error, 'No more backups are made by schedule')
  })
  return {
    stop() {
      stopping.abort()
      return running
    },
  }
}

/**
 * The time of the last success, in a file, so that a restart does not make a backup early. If the file cannot be used,
 * the schedule goes on with the time in memory.
 */
function lastSuccess(file: string, log: Log) {
  let inMemory: number | null = null
  const read = (): number => {
    try {
      return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
    } catch (error) {
      log.error(error, `The time of the last backup cannot be read from ${file}`)
      return 0
    }
  }
  return {
    read: (): number => inMemory ?? read(),
    write(now: Date): void {
      inMemory = now.getTime()
      try {
        writeFileSync(file, `${now.toISOString()}\n`)
      } catch (error) {
        log.error(
          error,
          `The backup is made, but its time cannot be written to ${file}: the next start makes another backup`,
        )
      }
    },
  }
}

/** A lack of memory passes, and must not end the schedule. */
const notStarted = (error: unknown): Outcome => ({
  code: null,
  output: error instanceof Error ? error.message : String(error),
})

/**
 * Resolves when the process has ended. Its output is the result, or the reason of its failure. Rejects if the system cannot
 * start it.
 */
function runBackup(config: Config, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [NO_DEBUGGER, PROGRAM, 'ops', 'backup'], {
      env: backupEnvironment({ ...config, databaseUrl: findDatabase(config) }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.once('error', (error) => resolve({ code: null, output: error.message }))
    const lines = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (lines.out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (lines.err += text))
    const stop = () => child.kill('SIGTERM')
    signal.addEventListener('abort', stop)
    child.once('close', (code, killedBy) => {
      signal.removeEventListener('abort', stop)
      const reason = killedBy ? `its process was ended by ${killedBy}` : findReason(lines.err)
      resolve({ code, output: code === 0 ? lines.out.trim() : reason })
    })
  })
}

/**
 * The database of the game that runs. The process of a backup that finds none would start it, and would block the next start
 * of the game if this process is killed meanwhile.
 */
function findDatabase({ databaseUrl, dataDir }: Config): string {
  const url = databaseUrl || findRunningPostgres(dataDir)
  if (url === undefined) throw new Error('The built-in Postgres does not run.')
  return url
}

/** Why the process failed: the last line, after those of progress. An error with a stack stands before its stack. */
export function findReason(output: string): string {
  const lines = output.trim().split('\n')
  const stackAt = lines.findIndex((line) => line.startsWith('    at '))
  return lines.at(stackAt < 0 ? -1 : stackAt - 1) ?? ''
}
