import type { Point } from './geometry.ts'
import { FRAME } from './views.ts'

const PIN_DIAMETER = 18
// A frame with other proportions crops the drawing at its sides.
const MARGIN = { x: 36, y: 14 }

/** Moves pins in place until none overlaps another and all are in the frame. The result is deterministic. */
export function spreadPins(pins: readonly Point[]): void {
  for (let round = 0; round < 200; round++) {
    let moved = false
    for (const [at, one] of pins.entries()) {
      for (const other of pins.slice(at + 1)) moved = pushApart(one, other) || moved
    }
    for (const pin of pins) Object.assign(pin, intoFrame(pin))
    if (!moved) return
  }
}

function pushApart(one: Point, other: Point): boolean {
  const [dx, dy] = [other[0] - one[0], other[1] - one[1]]
  const distance = Math.hypot(dx, dy)
  if (distance >= PIN_DIAMETER) return false
  const push = (PIN_DIAMETER - distance) / 2 + 0.05
  const [x, y] = distance ? [(dx / distance) * push, (dy / distance) * push] : [push, 0]
  Object.assign(one, [one[0] - x, one[1] - y])
  Object.assign(other, [other[0] + x, other[1] + y])
  return true
}

/** The nearest point at which a whole pin fits into the frame. */
export function intoFrame([x, y]: Point): Point {
  return [
    Math.min(FRAME.width - MARGIN.x, Math.max(MARGIN.x, x)),
    Math.min(FRAME.height - MARGIN.y, Math.max(MARGIN.y, y)),
  ]
}
