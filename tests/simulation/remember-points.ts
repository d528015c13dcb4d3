import { Point } from '@noble/ed25519'

/** More than the processes of a world verify between two uses of the same signature. */
const MAX_REMEMBERED = 1_000

/**
 * Remembers the points that verifying a signature takes longest to compute: the processes of a world verify each
 * signature several times. Only functions without promises are replaced, because a history depends on the order in
 * which promises settle.
 */
export function rememberPoints(): void {
  const points = new Map<string, Point>()
  const products = new WeakMap<Point, Map<bigint, Point>>([[Point.BASE, new Map()]])
  const { fromBytes } = Point
  const { multiply } = Point.prototype
  Point.fromBytes = (bytes, zip215 = false) => {
    const name = `${zip215} ${Buffer.from(bytes as Uint8Array).toString('hex')}`
    const found = points.get(name)
    if (found !== undefined) return found
    const point = fromBytes(bytes, zip215)
    products.set(point, new Map())
    remember(points, name, point)
    return point
  }
  Point.prototype.multiply = function (this: Point, factor: bigint, safe = true): Point {
    const known = products.get(this)
    if (known === undefined || safe) return multiply.call(this, factor, safe)
    const found = known.get(factor)
    if (found !== undefined) return found
    const product = multiply.call(this, factor, safe)
    remember(known, factor, product)
    return product
  }
}

function remember<Key>(known: Map<Key, Point>, key: Key, point: Point): void {
  if (known.size === MAX_REMEMBERED) known.clear()
  known.set(key, point)
}
