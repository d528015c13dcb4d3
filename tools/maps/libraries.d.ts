// Types for the used parts of the map libraries, which ship none.

declare module 'd3-geo' {
  import type { MultiPolygon, Point, Polygon } from './geometry.ts'

  type MultiPoint = { type: 'MultiPoint'; coordinates: Point[] }
  type Shape = MultiPoint | MultiPolygon | Polygon
  type Corners = [[number, number], [number, number]]

  interface Sink {
    point(x: number, y: number): void
    lineStart(): void
    lineEnd(): void
    polygonStart(): void
    polygonEnd(): void
    sphere(): void
  }

  interface GeoProjection {
    (point: Point): Point
    rotate(angles: [number, number]): this
    fitExtent(corners: Corners, shape: Shape): this
    clipExtent(corners: Corners): this
    stream(sink: Sink): Sink
  }

  interface GeoConicProjection extends GeoProjection {
    parallels(latitudes: [number, number]): this
  }

  export function geoArea(shape: Shape): number
  export function geoCentroid(shape: Shape): Point
  export function geoDistance(a: Point, b: Point): number
  export function geoStream(shape: Shape, sink: Sink): void
  export function geoAzimuthalEqualArea(): GeoProjection
  export function geoMercator(): GeoProjection
  export function geoNaturalEarth1(): GeoProjection
  export function geoConicConformal(): GeoConicProjection
  export function geoConicEqualArea(): GeoConicProjection
}

declare module 'topojson-client' {
  import type { MultiPolygon, Topology } from './geometry.ts'
  export function merge(
    topology: Topology,
    parts: Topology['objects']['countries']['geometries'],
  ): MultiPolygon
}

declare module 'topojson-simplify' {
  import type { Point, Topology } from './geometry.ts'
  export function presimplify(
    topology: Topology,
    weight?: (triangle: [Point, Point, Point]) => number,
  ): Topology
  export function simplify(topology: Topology, minWeight: number): Topology
}
