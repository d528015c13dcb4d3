import { readLandAreas } from './land-areas.mjs'
import { writeLandTable } from './write-land-table.mjs'

/** Every file that is made from the table of areas, as {path, text}; the same table always gives the same text. */
export function worldFiles() {
  const rows = readLandAreas()
  return [{ path: 'game/land-table.ts', text: writeLandTable(rows) }]
}
