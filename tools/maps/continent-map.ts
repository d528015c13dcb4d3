import { geoArea, geoCentroid, type GeoProjection } from 'd3-geo'
import type { ContinentCode } from '#game/continents.ts'
import { cardShape, cardShapeOfRings } from './card-shape.ts'
import { clipRings } from './clip-rings.ts'
import type { MultiPolygon, Point, Polygon, Ring } from './geometry.ts'
import { innerPoint } from './inner-point.ts'
import type { LandArea } from './land-areas.ts'
import { coarseLand, finestOutline, outlines, within } from './outlines.ts'
import { areaOf, pathOf, projectRings } from './rings.ts'
import { intoFrame, spreadPins } from './spread-pins.ts'
import { FRAME, type View, VIEWS, WITHOUT_OUTLINE } from './views.ts'

const BORDER = 26
const OVERLAP = 30
const SECTORS = 12
const SMALLEST_RING = 0.8
const SMALLEST_CONTEXT = 8
// Land smaller than the disc of a pin is shown as a pin.
const SMALL = 230

type Pin = { pin: Point; beyond?: true }
type Parcel = Pin & { parcelId: string; d: string | null; small: boolean; shape: string | null }

const tenth = (value: number): number => Math.round(value * 10) / 10

/** The map of one continent in the format of web/art/maps/continent-map.ts, from the rows of the area table. */
export function continentMap(code: ContinentCode, rows: readonly LandArea[]) {
  const view = VIEWS[code]
  const projection = fitted(view)
  const simple = outlines(view.detail)
  const full = outlines()
  const draw = (row: LandArea) => drawCountry(row, { view, projection, simple, full })
  const countries = rows.filter((row) => row.continent === code && row.code !== 'AQ').map(draw)
  const parcels = code === 'AN' ? [...drawSectors(simple.get('AQ')!, projection), ...countries] : countries
  spreadPins(parcels.filter((parcel) => parcel.small).map((parcel) => parcel.pin))
  return {
    madeBy: 'npm run maps',
    code,
    viewBox: [0, 0, FRAME.width, FRAME.height],
    context: drawContext(code, rows, projection),
    parcels: parcels.map((parcel) => ({ ...parcel, pin: intoFrame(parcel.pin).map(tenth) })),
  }
}

function fitted({ projection, fit: [west, south, east, north] }: View): GeoProjection {
  const steps = Array.from({ length: 13 }, (_, at) => at / 12)
  const corners = steps.flatMap((x) =>
    steps.map((y): Point => [west + (east - west) * x, south + (north - south) * y]),
  )
  return projection()
    .fitExtent(
      [
        [BORDER, BORDER],
        [FRAME.width - BORDER, FRAME.height - BORDER],
      ],
      { type: 'MultiPoint', coordinates: corners },
    )
    .clipExtent([
      [-OVERLAP, -OVERLAP],
      [FRAME.width + OVERLAP, FRAME.height + OVERLAP],
    ])
}

type Given = {
  view: View
  projection: GeoProjection
  simple: Map<string, MultiPolygon>
  full: Map<string, MultiPolygon>
}

function drawCountry({ code, continent }: LandArea, { view, projection, simple, full }: Given): Parcel {
  const parcelId = `${continent}-${code}`
  const place = WITHOUT_OUTLINE[code]
  if (place) return { parcelId, d: null, ...pinAt(projection(place)), small: true, shape: null }
  const land = within(full.get(code)!, view.include)
  const rings = projectRings(within(simple.get(code)!, view.include), projection)
  const d = pathOf(rings.filter((ring) => areaOf(ring) >= SMALLEST_RING))
  const area = rings.reduce((sum, ring) => sum + areaOf(ring), 0)
  const [largest] = rings.toSorted((a, b) => areaOf(b) - areaOf(a))
  const middle = d ? innerPoint(largest!) : projection(middleOf(land))
  return {
    parcelId,
    d: d || null,
    ...pinAt(middle),
    small: area < SMALL,
    shape: cardShape(cardLand(code, land, view)),
  }
}

/** Fewer points make a polygon, not the outline of an island. */
const MIN_POINTS = 16

/** Of more islands than these a card shows specks only. */
const MAX_ISLANDS = 6

const pointsOf = ({ coordinates }: MultiPolygon): number =>
  Math.max(0, ...coordinates.map(([outer]) => outer!.length))

/** The outline for a card: that of the map, or the finest one where the map has too few points. */
function cardLand(code: string, land: MultiPolygon, { include }: View): MultiPolygon {
  if (pointsOf(land) >= MIN_POINTS) return land
  const finest = within(finestOutline(code), include)
  const isBetter = pointsOf(finest) > pointsOf(land) && finest.coordinates.length <= MAX_ISLANDS
  return isBetter ? finest : land
}

/** The position of a pin, and whether it is on the edge because its land is outside the frame. */
function pinAt(point: Point): Pin {
  const [x, y] = intoFrame(point)
  const isBeyond = Math.hypot(point[0] - x, point[1] - y) > 1
  return isBeyond ? { pin: [x, y], beyond: true } : { pin: [...point] }
}

function middleOf({ coordinates }: MultiPolygon): Point {
  const polygons = coordinates.map((rings): Polygon => ({ type: 'Polygon', coordinates: rings }))
  return geoCentroid(polygons.reduce((a, b) => (geoArea(b) > geoArea(a) ? b : a)))
}

/** The sectors of Antarctica: AN-01 lies between the prime meridian and 30° east, and the others follow eastwards. */
function drawSectors(antarctica: MultiPolygon, projection: GeoProjection): Parcel[] {
  const pole = projection([0, -90])
  const ray = (longitude: number): Point => {
    const [x, y] = projection([longitude, -75])
    return [x - pole[0], y - pole[1]]
  }
  const land = projectRings(antarctica, projection).filter((ring) => areaOf(ring) >= SMALLEST_RING)
  return Array.from({ length: SECTORS }, (_, at) => {
    const [from, to] = [ray(at * 30), ray((at + 1) * 30)]
    const rings = clipRings(clipRings(land, pole, from), pole, [-to[0], -to[1]])
    const largest: Ring = rings.toSorted((a, b) => areaOf(b) - areaOf(a))[0]!
    return {
      parcelId: `AN-${String(at + 1).padStart(2, '0')}`,
      d: pathOf(rings.filter((ring) => areaOf(ring) >= SMALLEST_RING)),
      pin: innerPoint(largest),
      small: false,
      shape: cardShapeOfRings(rings.filter((ring) => areaOf(ring) >= areaOf(largest) / 20)),
    }
  })
}

function drawContext(continent: ContinentCode, rows: readonly LandArea[], projection: GeoProjection): string {
  if (continent === 'AN') return ''
  const own = new Set(rows.filter((row) => row.continent === continent).map((row) => row.code))
  const rings = projectRings(
    coarseLand((code) => !own.has(code)),
    projection,
  )
  return pathOf(rings.filter((ring) => areaOf(ring) >= SMALLEST_CONTEXT))
}
