import { geoArea, geoAzimuthalEqualArea, geoCentroid, geoDistance } from 'd3-geo'
import type { MultiPolygon, Point, Polygon, Ring } from './geometry.ts'
import { areaOf, boundsOf, pathOf, projectRings, thin } from './rings.ts'

const CARD = { width: 100, height: 76, margin: 2 }
const TOLERANCE = 0.4
const SMALLEST = 1

/** The outline of a country as its card shows it, centred on its main land and filling 100 × 76. */
export function cardShape(outline: MultiPolygon): string {
  const land = mainLand(outline)
  const [longitude, latitude] = geoCentroid(land)
  const projection = geoAzimuthalEqualArea()
    .rotate([-longitude, -latitude])
    .fitExtent(
      [
        [CARD.margin, CARD.margin],
        [CARD.width - CARD.margin, CARD.height - CARD.margin],
      ],
      land,
    )
  return thinPath(projectRings(land, projection))
}

/** The same for rings in drawing coordinates. */
export function cardShapeOfRings(rings: readonly Ring[]): string {
  const [west, north, east, south] = boundsOf(rings)
  const inner = { width: CARD.width - 2 * CARD.margin, height: CARD.height - 2 * CARD.margin }
  const scale = Math.min(inner.width / (east - west), inner.height / (south - north))
  const [left, top] = [CARD.width - (east - west) * scale, CARD.height - (south - north) * scale]
  const move = ([x, y]: Point): Point => [left / 2 + (x - west) * scale, top / 2 + (y - north) * scale]
  return thinPath(rings.map((ring) => ring.map(move)))
}

function thinPath(rings: readonly Ring[]): string {
  const bySize = rings.toSorted((a, b) => areaOf(b) - areaOf(a))
  const largest = bySize.filter((ring, at) => at === 0 || areaOf(ring) > SMALLEST).slice(0, 40)
  return pathOf(largest.map((ring) => thin(ring, TOLERANCE)))
}

/** The largest island with its close neighbours. Distant islands are included only if they are large. */
function mainLand({ coordinates }: MultiPolygon): MultiPolygon {
  const parts = coordinates.map((rings) => {
    const polygon: Polygon = { type: 'Polygon', coordinates: rings }
    return { rings, area: geoArea(polygon), middle: geoCentroid(polygon) }
  })
  const main = parts.reduce((a, b) => (b.area > a.area ? b : a))
  const radius = Math.max(...main.rings[0]!.map((point) => geoDistance(point, main.middle)))
  const belongs = (part: (typeof parts)[number]) => {
    const distance = geoDistance(part.middle, main.middle) / radius
    const share = part.area / main.area
    return distance < 1.35 || (share > 0.15 && distance < 6)
  }
  return { type: 'MultiPolygon', coordinates: parts.filter(belongs).map(({ rings }) => rings) }
}
