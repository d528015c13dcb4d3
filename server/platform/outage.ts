import type { Log } from './log.ts'

/** Tells the log when something fails for the first time and when it works again, and is silent in between. */
export function outage(log: Log, what: Record<string, string>) {
  let failing = false
  return {
    failed(error: unknown): void {
      if (!failing) log.warn({ ...what, reason: reasonOf(error) }, 'fails; trying again until it works')
      failing = true
    },
    works(): void {
      if (failing) log.warn(what, 'works again')
      failing = false
    },
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error)
}
