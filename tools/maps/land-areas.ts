import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countries } from 'countries-list'
import iso from 'i18n-iso-countries'

/** A row of the area table. The area is in km². */
export type LandArea = { code: string; continent: string; name: string; area: number }

const TABLE = join(import.meta.dirname, '../../data/land-areas.csv')
const HEADING = 'code,continent,name,area_km2'
const LINE = /^([A-Z]{2}),([A-Z]{2}),"([^"]+)",(\d+(?:\.\d+)?)$/

// Not in ISO 3166-1: they are parts of Saint Helena, which is in the table as a whole.
const PARTS_OF_OTHERS = ['AC', 'TA']

// Names that differ from those in countries-list.
const OTHER_NAMES: Record<string, string> = { AX: 'Åland Islands', CI: 'Côte d’Ivoire' }

// countries-list writes most names without their accents.
const withoutAccents = (name: string) => name.normalize('NFD').replaceAll(/\p{M}/gu, '')

/**
 * Every row of the area table, the largest first.
 * Throws if the table is malformed, contradicts countries-list, or lacks a code of ISO 3166-1.
 */
export function readLandAreas(): LandArea[] {
  const [heading, ...lines] = readFileSync(TABLE, 'utf8').trimEnd().split('\n')
  if (heading !== HEADING) throw new Error(`data/land-areas.csv begins with "${heading}"`)
  const rows = lines.map(readLine)
  const codes = new Set(rows.map((row) => row.code))
  if (codes.size !== rows.length) throw new Error('data/land-areas.csv names a code twice')
  const known = [...Object.keys(countries), ...Object.keys(iso.getAlpha2Codes())]
  const missing = known.filter((code) => !codes.has(code) && !PARTS_OF_OTHERS.includes(code))
  if (missing.length) throw new Error(`data/land-areas.csv misses ${missing.join(', ')}`)
  return rows.toSorted((a, b) => b.area - a.area || (a.code < b.code ? -1 : 1))
}

function readLine(line: string): LandArea {
  const [, code, continent, name, area] = LINE.exec(line) ?? []
  if (!code || !continent || !name) throw new Error(`data/land-areas.csv: not a row of land: ${line}`)
  const country = Object.entries(countries).find(([each]) => each === code)?.[1]
  const known = OTHER_NAMES[code] ?? country?.name
  if (country?.continent !== continent || withoutAccents(name) !== withoutAccents(known ?? '')) {
    throw new Error(
      `data/land-areas.csv: ${code} is ${country?.name} (${country?.continent}) in countries-list`,
    )
  }
  return { code, continent, name, area: Number(area) }
}
