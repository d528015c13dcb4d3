import type { ContinentCode } from '#game/continents.ts'
import type { ContinentMap, WorldMap } from './continent-map.ts'

const continents = import.meta.glob<ContinentMap>('./??.json', { import: 'default' })
const world = import.meta.glob<WorldMap>('./world.json', { import: 'default' })

/** The map of one continent, a chunk of its own; rejects while the network is away. */
export function loadContinentMap(code: ContinentCode): Promise<ContinentMap> {
  return load(continents, `./${code.toLowerCase()}.json`)
}

/** The silhouettes of the seven continents. */
export function loadWorldMap(): Promise<WorldMap> {
  return load(world, './world.json')
}

function load<Map>(chunks: Record<string, () => Promise<Map>>, path: string): Promise<Map> {
  const chunk = chunks[path]
  if (!chunk) throw new Error(`There is no map ${path}`)
  return chunk()
}
