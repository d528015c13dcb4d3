import { geoArea, geoCentroid } from 'd3-geo'
import { cardShape, cardShapeOfRings } from './card-shape.mjs'
import { clipRings } from './clip-rings.mjs'
import { innerPoint } from './inner-point.mjs'
import { coarseLand, outlines, within } from './outlines.mjs'
import { areaOf, pathOf, projectRings } from './rings.mjs'
import { intoFrame, spreadPins } from './spread-pins.mjs'
import { FRAME, VIEWS, WITHOUT_OUTLINE } from './views.mjs'

const BORDER = 26
const OVERLAP = 30
const SECTORS = 12
const SMALLEST_RING = 0.8
const SMALLEST_CONTEXT = 8
// Smaller than the disc of a pin, which then stands for the land.
const SMALL = 230

const tenth = (value) => Math.round(value * 10) / 10

/** The map of one continent, as web/art/maps/continent-map.ts describes it, for the rows of the table of areas. */
export function continentMap(code, rows) {
  const view = VIEWS[code]
  const projection = fitted(view)
  const simple = outlines(view.detail)
  const full = outlines()
  const draw = (row) => drawCountry(row, { view, projection, simple, full })
  const countries = rows.filter((row) => row.continent === code && row.code !== 'AQ').map(draw)
  const parcels = code === 'AN' ? [...drawSectors(simple.get('AQ'), projection), ...countries] : countries
  spreadPins(parcels.filter((parcel) => parcel.small).map((parcel) => parcel.pin))
  return {
    madeBy: 'npm run build-world',
    code,
    viewBox: [0, 0, FRAME.width, FRAME.height],
    context: drawContext(code, rows, projection),
    parcels: parcels.map((parcel) => ({ ...parcel, pin: intoFrame(parcel.pin).map(tenth) })),
  }
}

function fitted({ projection, fit: [west, south, east, north] }) {
  const steps = Array.from({ length: 13 }, (_, at) => at / 12)
  const corners = steps.flatMap((x) =>
    steps.map((y) => [west + (east - west) * x, south + (north - south) * y]),
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

function drawCountry({ code, continent }, { view, projection, simple, full }) {
  const parcelId = `${continent}-${code}`
  const place = WITHOUT_OUTLINE[code]
  if (place) return { parcelId, d: null, ...pinAt(projection(place)), small: true, shape: null }
  const land = within(full.get(code), view.bounds)
  const rings = projectRings(within(simple.get(code), view.bounds), projection)
  const d = pathOf(rings.filter((ring) => areaOf(ring) >= SMALLEST_RING))
  const area = rings.reduce((sum, ring) => sum + areaOf(ring), 0)
  const [largest] = rings.toSorted((a, b) => areaOf(b) - areaOf(a))
  const middle = d ? innerPoint(largest) : projection(middleOf(land))
  return { parcelId, d: d || null, ...pinAt(middle), small: area < SMALL, shape: cardShape(land) }
}

/** Where a pin stands, and whether it stands on the edge for land beyond. */
function pinAt(point) {
  const [x, y] = intoFrame(point)
  const isBeyond = Math.hypot(point[0] - x, point[1] - y) > 1
  return isBeyond ? { pin: [x, y], beyond: true } : { pin: [...point] }
}

function middleOf({ coordinates }) {
  const polygons = coordinates.map((rings) => ({ type: 'Polygon', coordinates: rings }))
  return geoCentroid(polygons.reduce((a, b) => (geoArea(b) > geoArea(a) ? b : a)))
}

/** Antarctica cut like a cake: AN-01 lies between the meridian of Greenwich and 30° east, and so on eastwards. */
function drawSectors(antarctica, projection) {
  const pole = projection([0, -90])
  const ray = (longitude) => {
    const [x, y] = projection([longitude, -75])
    return [x - pole[0], y - pole[1]]
  }
  const land = projectRings(antarctica, projection).filter((ring) => areaOf(ring) >= SMALLEST_RING)
  return Array.from({ length: SECTORS }, (_, at) => {
    const [from, to] = [ray(at * 30), ray((at + 1) * 30)]
    const rings = clipRings(clipRings(land, pole, from), pole, [-to[0], -to[1]])
    const [largest] = rings.toSorted((a, b) => areaOf(b) - areaOf(a))
    return {
      parcelId: `AN-${String(at + 1).padStart(2, '0')}`,
      d: pathOf(rings.filter((ring) => areaOf(ring) >= SMALLEST_RING)),
      pin: innerPoint(largest),
      small: false,
      shape: cardShapeOfRings(rings.filter((ring) => areaOf(ring) >= areaOf(largest) / 20)),
    }
  })
}

function drawContext(continent, rows, projection) {
  if (continent === 'AN') return ''
  const own = new Set(rows.filter((row) => row.continent === continent).map((row) => row.code))
  const rings = projectRings(
    coarseLand((code) => !own.has(code)),
    projection,
  )
  return pathOf(rings.filter((ring) => areaOf(ring) >= SMALLEST_CONTEXT))
}
