// Adds a parcel for every possible code to each continent. Import it before the world, which is computed from this table.
import { CONTINENTS } from '#game/continents.ts'
import { LAND_TABLE } from '#game/land-table.ts'

const SIGNS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const codes = SIGNS.flatMap((first) => SIGNS.map((second) => first + second))
const known = new Set(LAND_TABLE.map(([code, region]) => `${region}-${code}`))
// The sectors of Antarctica are numbers and are not in the table.
const isFree = (id: string) => !known.has(id) && !/^AN-\d/.test(id)
const added = CONTINENTS.flatMap((region) =>
  codes
    .filter((code) => isFree(`${region}-${code}`))
    .map((code) => [code, region, `Field ${code}`, 1] as const),
)
;(LAND_TABLE as (typeof LAND_TABLE)[number][]).push(...added)

/** Arguments of Node for a process that needs this land, too. */
export const WIDENED = ['--import', import.meta.url]
