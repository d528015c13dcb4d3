/**
 * Waits for a step of a wallet, which may never answer. Rejects with the reason of `cancelled` once that is aborted, and
 * ignores what the wallet answers later.
 */
export function untilCancelled<T>(step: Promise<T>, cancelled: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(cancelled.reason)
  if (cancelled.aborted) stop()
  else cancelled.addEventListener('abort', stop, { once: true })
  return Promise.race([promise, step]).finally(() => cancelled.removeEventListener('abort', stop))
}
