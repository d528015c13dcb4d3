import type { Point, Ring } from './geometry.ts'

/**
 * Clips a shape at the line `origin` + t × `direction`. Keeps the side that `direction`, rotated from x to y, points to.
 * Outer and inner rings must have opposite directions. Each remaining piece is a separate ring.
 */
export function clipRings(rings: readonly Ring[], origin: Point, direction: Point): Ring[] {
  const [ux, uy] = direction
  const side = ([x, y]: Point) => ux * (y - origin[1]) - uy * (x - origin[0])
  const along = ([x, y]: Point) => ux * (x - origin[0]) + uy * (y - origin[1])
  const whole = rings.filter((ring) => ring.every((point) => side(point) >= 0))
  const chains = rings.flatMap((ring) => chainsInside(ring, side))
  return [...whole, ...join(chains, along)]
}

/** The parts of a ring that lie inside, each from its entry point to its exit point. */
function chainsInside(ring: Ring, side: (point: Point) => number): Ring[] {
  const entry = ring.findIndex((point, at) => side(point) >= 0 && side(ring.at(at - 1)!) < 0)
  if (entry < 0) return []
  // The walk starts at an entry point, so it ends outside and every chain is complete.
  const chains: Ring[] = []
  let chain: Ring = []
  for (let step = 0; step < ring.length; step++) {
    const [last, point] = [ring.at((entry + step - 1) % ring.length)!, ring[(entry + step) % ring.length]!]
    const [before, now] = [side(last), side(point)]
    if (before < 0 && now >= 0) chains.push((chain = [crossing(last, point, before, now)]))
    if (before >= 0 && now < 0) chain.push(crossing(last, point, before, now))
    if (now >= 0) chain.push(point)
  }
  return chains
}

function crossing([x0, y0]: Point, [x1, y1]: Point, before: number, after: number): Point {
  const share = before / (before - after)
  return [x0 + share * (x1 - x0), y0 + share * (y1 - y0)]
}

/** Along the line, entry and exit points alternate, so neighbouring points bound one piece of land. */
function join(chains: readonly Ring[], along: (point: Point) => number): Ring[] {
  const ends = chains
    .flatMap((chain) => [
      { chain, isStart: true, at: along(chain[0]!) },
      { chain, isStart: false, at: along(chain.at(-1)!) },
    ])
    .toSorted((a, b) => a.at - b.at)
  const next = new Map<Ring, Ring>()
  for (let pair = 0; pair < ends.length; pair += 2) {
    const [a, b] = [ends[pair]!, ends[pair + 1]!]
    if (a.isStart === b.isStart) throw new Error('A ring touches the line that cuts it')
    next.set((a.isStart ? b : a).chain, (a.isStart ? a : b).chain)
  }
  const rings: Ring[] = []
  while (next.size) {
    const ring: Ring = []
    let chain = next.keys().next().value
    while (chain && next.has(chain)) {
      ring.push(...chain)
      const following: Ring | undefined = next.get(chain)
      next.delete(chain)
      chain = following
    }
    rings.push(ring)
  }
  return rings
}
