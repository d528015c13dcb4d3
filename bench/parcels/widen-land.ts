// Gives Africa a parcel for every code that an id has room for. To be imported before the world, which is made of this
// table; a process of its own takes it by `--import`.
import { LAND_TABLE } from '#game/land-table.ts'

const SIGNS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const codes = SIGNS.flatMap((first) => SIGNS.map((second) => first + second))
const known = new Set(LAND_TABLE.flatMap(([code, region]) => (region === 'AF' ? [code] : [])))
const added = codes
  .filter((code) => !known.has(code))
  .map((code) => [code, 'AF', `Field ${code}`, 1] as const)
;(LAND_TABLE as (typeof LAND_TABLE)[number][]).push(...added)
