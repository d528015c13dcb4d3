import { CONTINENTS } from '#game/continents.ts'
import { continentMap } from './continent-map.ts'
import { readLandAreas } from './land-areas.ts'
import { worldMap } from './world-map.ts'
import { writeLandTable } from './write-land-table.ts'

/** Every file that is generated from the area table, as {path, text}. The output is deterministic. */
export function mapFiles(): { path: string; text: string }[] {
  const rows = readLandAreas()
  const maps = CONTINENTS.map((code) => ({
    path: `web/art/maps/${code.toLowerCase()}.json`,
    text: json(continentMap(code, rows)),
  }))
  return [
    { path: 'game/land-table.ts', text: writeLandTable(rows) },
    ...maps,
    { path: 'web/art/maps/world.json', text: json(worldMap(rows)) },
  ]
}

const json = (value: object) => `${JSON.stringify(value)}\n`
