import { refuseCall } from './refuse.ts'

/** How many rows a page of a list has. */
export const PAGE_ROWS = 50

/** The key of a row as a cursor. It has a meaning for the server only. */
export const toCursor = (key: readonly string[]): string =>
  Buffer.from(JSON.stringify(key)).toString('base64url')

/** The key in a cursor, which has this many parts; null without a cursor. Refuses with malformed. */
export function fromCursor(cursor: string | undefined, parts: number): readonly string[] | null {
  if (cursor === undefined) return null
  const key = parseKey(cursor)
  if (key?.length !== parts) refuseCall('malformed', { field: 'cursor', problem: 'is not a cursor' })
  return key
}

function parseKey(cursor: string): string[] | null {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(key) && key.every((part) => typeof part === 'string') ? key : null
  } catch {
    return null
  }
}

/** A page of rows that were read with one row more than it has, and its cursor. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  { key, item }: { key(row: Row): readonly string[]; item(row: Row): Item },
): { items: Item[]; next: string | null } {
  const page = rows.slice(0, PAGE_ROWS)
  const last = page.at(-1)
  return {
    items: page.map(item),
    next: rows.length > PAGE_ROWS && last !== undefined ? toCursor(key(last)) : null,
  }
}

/** The time before all others and the one after them, for the first page of a list. */
export const FIRST_TIME = '-infinity'
export const LAST_TIME = 'infinity'
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
