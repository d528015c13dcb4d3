import type { Log } from './log.ts'

/** Logs the start and the end of an outage, and nothing in between. */
export function createOutageLog(log: Log, context: Record<string, string>) {
  let failing = false
  return {
    recordFailure(error: unknown): void {
      if (!failing)
        log.warn({ ...context, reason: describeReason(error) }, 'fails; trying again until it works')
      failing = true
    },
    recordSuccess(): void {
      if (failing) log.warn(context, 'works again')
      failing = false
    },
  }
}

function describeReason(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error)
}
