import type { Point, Ring } from './geometry.ts'
import { boundsOf, distanceToSegment } from './rings.ts'

const STEPS = 24

/** The point of a grid over the ring that is farthest from its border, rounded to a tenth. */
export function innerPoint(ring: Ring): Point {
  const [west, north, east, south] = boundsOf([ring])
  let best: Point = [(west + east) / 2, (north + south) / 2]
  let room = -1
  for (let column = 1; column < STEPS; column++) {
    for (let row = 1; row < STEPS; row++) {
      const point: Point = [west + ((east - west) * column) / STEPS, north + ((south - north) * row) / STEPS]
      if (!isInside(point, ring)) continue
      const free = Math.min(
        ...ring.map((from, at) => distanceToSegment(point, from, ring[(at + 1) % ring.length]!)),
      )
      if (free > room) [best, room] = [point, free]
    }
  }
  return best
}

function isInside([x, y]: Point, ring: Ring): boolean {
  return ring.reduce((inside, [x0, y0], at) => {
    const [x1, y1] = ring[(at + 1) % ring.length]!
    const crosses = y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)
    return crosses ? !inside : inside
  }, false)
}
