import { geoNaturalEarth1 } from 'd3-geo'
import { CONTINENTS, type ContinentCode } from '#game/continents.ts'
import type { Country, MultiPolygon, Point } from './geometry.ts'
import type { LandArea } from './land-areas.ts'
import { coarseLand, within } from './outlines.ts'
import { areaOf, pathOf, projectRings } from './rings.ts'
import { VIEWS } from './views.ts'

const FRAME = { width: 1200, height: 620 }
const DETAIL = 0.6
const SMALLEST_RING = 2
// The limits of the frame: Greenland at the top, the coast of Antarctica at the bottom.
const RIM: Point[] = [
  [-166, 20],
  [178, 0],
  [0, 79],
  [0, -74],
]
// They have no code in the source, and belong to the silhouette of their continent.
const CONTINENT_OF: Record<string, string> = { Kosovo: 'EU' }
// The positions of the signposts, chosen by eye.
const SIGNS: Record<ContinentCode, Point> = {
  NA: [264, 192],
  SA: [390, 384],
  EU: [630, 130],
  AS: [888, 167],
  AF: [636, 322],
  OC: [1020, 440],
  AN: [672, 590],
}

/** The world with one silhouette per continent, in the format of web/art/maps/continent-map.ts. */
export function worldMap(rows: readonly LandArea[]) {
  const continents = new Map(rows.map(({ code, continent }) => [code, continent]))
  const projection = geoNaturalEarth1()
    .rotate([-11, 0])
    .fitExtent(
      [
        [8, 8],
        [FRAME.width - 8, FRAME.height - 20],
      ],
      { type: 'MultiPoint', coordinates: RIM },
    )
  const drawn = CONTINENTS.map((code) => {
    const sign = SIGNS[code]
    const isIn = (country: string, { properties }: Country) =>
      (continents.get(country) ?? CONTINENT_OF[properties.name]) === code
    const rings = projectRings(silhouette(code, isIn), projection)
    return [code, { d: pathOf(rings.filter((ring) => areaOf(ring) >= SMALLEST_RING)), sign }]
  })
  return {
    madeBy: 'npm run maps',
    viewBox: [0, 0, FRAME.width, FRAME.height],
    continents: Object.fromEntries(drawn),
  }
}

/** In the source, French Guiana is a part of France. */
function silhouette(code: ContinentCode, isIn: (country: string, part: Country) => boolean): MultiPolygon {
  if (code === 'EU') return within(coarseLand(isIn, DETAIL), VIEWS.EU.include)
  if (code !== 'SA') return coarseLand(isIn, DETAIL)
  const france = within(
    coarseLand((country) => country === 'FR', DETAIL),
    VIEWS.SA.include,
  )
  return { ...france, coordinates: [...coarseLand(isIn, DETAIL).coordinates, ...france.coordinates] }
}
