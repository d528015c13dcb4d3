import { createRequire } from 'node:module'
import { geoCentroid } from 'd3-geo'
import iso from 'i18n-iso-countries'
import type { Bounds, Country, MultiPolygon, Point, Topology } from './geometry.ts'
import { merge } from 'topojson-client'
import { presimplify, simplify } from 'topojson-simplify'

const require = createRequire(import.meta.url)
const fine: Topology = require('world-atlas/countries-50m.json')
const finest: Topology = require('world-atlas/countries-10m.json')
const coarse: Topology = require('world-atlas/countries-110m.json')

// The source has these as separate shapes without a code. ISO 3166-1 and the area table include them in another country.
const COUNTED_IN: Record<string, string> = { Somaliland: 'SO', 'N. Cyprus': 'CY' }

const codeOf = ({ id, properties }: Country): string | undefined =>
  id ? iso.numericToAlpha2(String(id).padStart(3, '0')) : COUNTED_IN[properties.name]

// The area of a triangle of three neighbouring points in square degrees, corrected for the width at its latitude.
function weight([[x0, y0], [x1, y1], [x2, y2]]: [Point, Point, Point]): number {
  const latitude = ((y0 + y1 + y2) / 3) * (Math.PI / 180)
  const flat = Math.abs((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)) / 2
  return flat * Math.max(0.15, Math.cos(latitude))
}

const weighted = presimplify(fine, weight)

/**
 * The outlines by country code, each a MultiPolygon. They are simplified together, so that neighbours still share their
 * borders. Without `detail` they are not simplified.
 */
export function outlines(detail = 0): Map<string, MultiPolygon> {
  const topology = detail ? simplify(weighted, detail) : fine
  const byCode = Map.groupBy(topology.objects.countries.geometries, codeOf)
  return new Map(
    [...byCode].flatMap(([code, parts]) => (code === undefined ? [] : [[code, merge(topology, parts)]])),
  )
}

/** The outline of one country with all points of the source, for land that has only a few in the others. */
export function finestOutline(code: string): MultiPolygon {
  const { countries } = finest.objects
  return merge(
    finest,
    countries.geometries.filter((part: Country) => codeOf(part) === code),
  )
}

/** The coarse outline of all land whose code satisfies `isWanted`; land without a code is passed as ''. */
export function coarseLand(isWanted: (code: string, part: Country) => boolean, detail = 0): MultiPolygon {
  const topology = detail ? simplify(presimplify(coarse), detail) : coarse
  const parts = topology.objects.countries.geometries.filter((part: Country) =>
    isWanted(codeOf(part) ?? '', part),
  )
  return merge(topology, parts)
}

/** The polygons of an outline whose centre lies within west, south, east, north. */
export function within(outline: MultiPolygon, [west, south, east, north]: Bounds): MultiPolygon {
  const coordinates = outline.coordinates.filter((rings) => {
    const [x, y] = geoCentroid({ type: 'Polygon', coordinates: rings })
    const longitude = x < west ? x + 360 : x
    return longitude <= east && y >= south && y <= north
  })
  return { type: 'MultiPolygon', coordinates }
}
