/**
 * A message from a role to its supervisor. `isOutage`: the game has run before with what is out of reach, and can start
 * without this role.
 */
export type ChildMessage =
  | { type: 'ready'; facts: Record<string, string> }
  | { type: 'problem'; sentence: string; mayPass: boolean; isOutage?: boolean }

/** Sends a message to the supervisor. A role that was started by hand has none; then this does nothing. */
export function notifyParent(message: ChildMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send) process.send(message, () => resolve())
    else resolve()
  })
}

const stopTimeoutMs = 3000
const orphanTimeoutMs = 2000

/**
 * Calls `stop` once and exits on SIGTERM, on Ctrl-C without a supervisor, or when the supervisor is gone, however it died.
 * A stop that hangs is cut short; `graceMs` extends the time limit.
 */
export function stopOnShutdown(stop: () => Promise<void>, { graceMs }: { graceMs: number }): void {
  let shuttingDown = false
  const shutDown = (timeoutMs: number) => {
    if (shuttingDown) return
    shuttingDown = true
    setTimeout(() => process.exit(1), timeoutMs)
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', () => shutDown(graceMs + stopTimeoutMs))
  if (process.connected) {
    // Ctrl-C reaches the whole process group. The supervisor then stops the roles in order.
    process.on('SIGINT', () => undefined)
    process.on('SIGHUP', () => undefined)
    process.on('disconnect', () => shutDown(orphanTimeoutMs))
  } else {
    process.on('SIGINT', () => shutDown(graceMs + stopTimeoutMs))
    process.on('SIGHUP', () => shutDown(graceMs + stopTimeoutMs))
  }
}

const parentPollMs = 250

/** Calls `callback` once, when the parent process is gone: npm cannot forward a kill -9. */
export function onParentExit(callback: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    callback()
  }, parentPollMs)
  timer.unref()
}
