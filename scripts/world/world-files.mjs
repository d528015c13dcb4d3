import { continentMap } from './continent-map.mjs'
import { readLandAreas } from './land-areas.mjs'
import { VIEWS } from './views.mjs'
import { worldMap } from './world-map.mjs'
import { writeLandTable } from './write-land-table.mjs'

/** Every file that is made from the table of areas, as {path, text}; the same table always gives the same text. */
export function worldFiles() {
  const rows = readLandAreas()
  const maps = Object.keys(VIEWS).map((code) => ({
    path: `web/art/maps/${code.toLowerCase()}.json`,
    text: json(continentMap(code, rows)),
  }))
  return [
    { path: 'game/land-table.ts', text: writeLandTable(rows) },
    ...maps,
    { path: 'web/art/maps/world.json', text: json(worldMap(rows)) },
  ]
}

const json = (value) => `${JSON.stringify(value)}\n`
