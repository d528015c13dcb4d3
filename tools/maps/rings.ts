import { geoStream, type GeoProjection } from 'd3-geo'
import type { MultiPolygon, Point, Ring } from './geometry.ts'

/** The rings of a shape in drawing coordinates: lists of [x, y], without a repeated last point. */
export function projectRings(shape: MultiPolygon, projection: GeoProjection): Ring[] {
  const rings: Ring[] = []
  let ring: Ring = []
  const sink = {
    point: (x: number, y: number) => void ring.push([x, y]),
    lineStart: () => void (ring = []),
    lineEnd: () => void rings.push(ring),
    polygonStart() {},
    polygonEnd() {},
    sphere() {},
  }
  geoStream(shape, projection.stream(sink))
  return rings
}

/** Square units; the sign is the direction. */
function signedArea(ring: Ring): number {
  return ring.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = ring[(at + 1) % ring.length]!
    return sum + (x * nextY - nextX * y) / 2
  }, 0)
}

export const areaOf = (ring: Ring): number => Math.abs(signedArea(ring))

/** West, north, east and south of the rings. */
export function boundsOf(rings: readonly Ring[]): [west: number, north: number, east: number, south: number] {
  const points = rings.flat()
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

/** Removes points that deviate less than `tolerance` from the line of their neighbours (Douglas–Peucker). */
export function thin(ring: Ring, tolerance: number): Ring {
  const open = [...ring, ring[0]!]
  const selected = new Set([0, open.length - 1])
  const spans: [number, number][] = [[0, open.length - 1]]
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [from, to] = span
    let farthest = from
    let most = tolerance
    for (let at = from + 1; at < to; at++) {
      const off = distanceToSegment(open[at]!, open[from]!, open[to]!)
      if (off > most) [farthest, most] = [at, off]
    }
    if (farthest === from) continue
    selected.add(farthest)
    spans.push([from, farthest], [farthest, to])
  }
  return open.slice(0, -1).filter((_, at) => selected.has(at))
}

export function distanceToSegment([x, y]: Point, [x0, y0]: Point, [x1, y1]: Point): number {
  const length = (x1 - x0) ** 2 + (y1 - y0) ** 2
  const share = length ? Math.min(1, Math.max(0, ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length)) : 0
  return Math.hypot(x - x0 - share * (x1 - x0), y - y0 - share * (y1 - y0))
}

/**
 * Rings as the text of an SVG path, to a tenth of a unit. Steps are relative, which saves a third of the bytes. Each ring
 * starts absolute, so that paths can be joined.
 */
export function pathOf(rings: readonly Ring[]): string {
  return rings.map(ringPath).join('')
}

function ringPath(ring: Ring): string {
  const tenths = ring.map(([x, y]): Point => [Math.round(x * 10), Math.round(y * 10)])
  const points = tenths.filter(([x, y], at) => {
    const [lastX, lastY] = tenths.at(at - 1)!
    return x !== lastX || y !== lastY
  })
  const [first, ...rest] = points
  if (!first || points.length < 3) return ''
  let [x, y] = first
  const steps = rest.map(([nextX, nextY]) => {
    const step = pair(nextX - x, nextY - y)
    ;[x, y] = [nextX, nextY]
    return step
  })
  return `M${pair(...first)}l${steps.join(' ').replaceAll(' -', '-')}z`
}

const pair = (x: number, y: number) => `${short(x)} ${short(y)}`.replace(' -', '-')

const short = (tenths: number) => String(tenths / 10).replace(/^(-?)0\./, '$1.')
