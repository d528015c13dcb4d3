/** Longitude and latitude, or x and y on the drawing. */
export type Point = [x: number, y: number]

/** Not closed by a repeated point. */
export type Ring = Point[]

/** West, south, east, north in degrees. */
export type Bounds = readonly [west: number, south: number, east: number, north: number]

export type Polygon = { type: 'Polygon'; coordinates: Ring[] }
export type MultiPolygon = { type: 'MultiPolygon'; coordinates: Ring[][] }

/** A country of the map source. */
export type Country = { id?: string | number; properties: { name: string } }

export type Topology = { objects: { countries: { geometries: Country[] } } }
