import type { Statement } from '#server/platform/db/db.ts'

/** A statement that a test composes, with its values in the order of its placeholders `$1`, `$2`, … */
export function rawSql<Row = unknown>(
  { name, text }: { name: string; text: string },
  values: readonly unknown[] = [],
): Statement<Record<never, never>, Row> {
  return { name, text, row: {}, encode: () => [...values] }
}
