/**
 * Whether it is `ms` since `from`. A time that is still to come by as much was stored before the clock was set back, and has
 * passed as well. A clock that goes back a little, or is a little behind another one, makes nothing due early.
 */
export function hasPassed(ms: number, { from, now }: { from: Date; now: Date }): boolean {
  return Math.abs(now.getTime() - from.getTime()) >= ms
}
