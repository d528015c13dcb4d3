/** What a role tells the supervisor that started it. */
export type ChildMessage =
  | { type: 'ready'; facts: Record<string, string> }
  | { type: 'problem'; sentence: string }

/** Tells the supervisor; a role started by hand has none, and nothing happens. */
export function notifyParent(message: ChildMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send) process.send(message, () => resolve())
    else resolve()
  })
}

const stopTimeoutMs = 3000
const orphanTimeoutMs = 2000

/**
 * Calls `stop` once and ends the process when it is asked to (SIGTERM, and Ctrl-C where no supervisor decides the
 * order) or when the supervisor is gone, however that died. A stop that hangs is cut short, `graceMs` later than one that
 * has nobody to wait for.
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
    // A Ctrl-C reaches the whole process group; the supervisor then stops the roles in their order.
    process.on('SIGINT', () => undefined)
    process.on('SIGHUP', () => undefined)
    process.on('disconnect', () => shutDown(orphanTimeoutMs))
  } else {
    process.on('SIGINT', () => shutDown(graceMs + stopTimeoutMs))
    process.on('SIGHUP', () => shutDown(graceMs + stopTimeoutMs))
  }
}

const parentPollMs = 250

/** Calls `act` when the process that started this one is gone: npm cannot hand a kill -9 on. */
export function onParentExit(callback: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    callback()
  }, parentPollMs)
  timer.unref()
}
