/** Whether it is `ms` since `from`. A time that is still to come was stored before the clock was set back: it has passed. */
export function hasPassed(ms: number, { from, now }: { from: Date; now: Date }): boolean {
  const elapsedMs = now.getTime() - from.getTime()
  return elapsedMs >= ms || elapsedMs < 0
}
