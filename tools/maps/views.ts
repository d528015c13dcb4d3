import {
  geoAzimuthalEqualArea,
  geoConicConformal,
  geoConicEqualArea,
  geoMercator,
  type GeoProjection,
} from 'd3-geo'
import type { ContinentCode } from '#game/continents.ts'
import type { Bounds, Point } from './geometry.ts'

/** The frame of every continent's map, in units of its drawing. */
export const FRAME = { width: 1000, height: 640 }

export type View = { projection(): GeoProjection; fit: Bounds; include: Bounds; detail: number }

/**
 * The view of each continent. `projection` is centred on it. `fit` (west, south, east, north) fills the frame. `include`
 * bounds the drawn polygons, so that a continent's map lacks the distant islands of its countries. `detail` is the
 * smallest drawn triangle of a coast, in square degrees at the equator. Longitudes continue past 180°: 202 is 158° west.
 */
export const VIEWS: Record<ContinentCode, View> = {
  NA: {
    projection: () => geoConicEqualArea().rotate([96, 0]).parallels([20, 60]),
    fit: [-142, 11, -62, 64],
    include: [-170, 5, -10, 84],
    detail: 0.06,
  },
  SA: {
    projection: () => geoAzimuthalEqualArea().rotate([60, 22]),
    fit: [-80, -54, -36, 12],
    include: [-93, -57, -30, 14],
    detail: 0.05,
  },
  EU: {
    projection: () => geoConicConformal().rotate([-14, 0]).parallels([40, 62]),
    fit: [-10, 36, 34, 69],
    include: [-25, 34, 70, 82],
    detail: 0.012,
  },
  AS: {
    projection: () => geoConicEqualArea().rotate([-85, 0]).parallels([15, 50]),
    fit: [40, -7, 134, 58],
    include: [25, -12, 180, 82],
    detail: 0.06,
  },
  AF: {
    projection: () => geoAzimuthalEqualArea().rotate([-17, -2]),
    fit: [-16, -34, 50, 37],
    include: [-26, -41, 66, 38],
    detail: 0.05,
  },
  OC: {
    projection: () => geoMercator().rotate([-158, 0]),
    fit: [114, -46, 202, 14],
    include: [105, -52, 232, 22],
    detail: 0.02,
  },
  AN: {
    projection: () => geoAzimuthalEqualArea().rotate([0, 90]),
    fit: [-180, -90, 180, -66],
    include: [-180, -90, 180, -45],
    detail: 0.2,
  },
}

/** Land without an outline in the map source, and the position of its pin: longitude, latitude (design §9). */
export const WITHOUT_OUTLINE: Record<string, Point> = {
  BQ: [-68.26, 12.18],
  BV: [3.36, -54.42],
  CC: [96.83, -12.17],
  CX: [105.63, -10.49],
  GF: [-53.13, 3.93],
  GI: [-5.35, 36.14],
  GP: [-61.55, 16.25],
  GS: [-36.66, -54.4],
  MQ: [-61.02, 14.64],
  PN: [-130.1, -25.07],
  RE: [55.53, -21.12],
  SJ: [16.99, 78.62],
  TK: [-171.83, -9.19],
  TV: [179.2, -8.52],
  UM: [-160, -0.37],
  XK: [20.9, 42.6],
  YT: [45.15, -12.82],
}
