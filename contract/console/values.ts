import * as z from 'zod/mini'
import { baseUnits, type Cotton, fromDecimal, ZERO } from '#game/cotton.ts'
import { LONGEST_REASON } from './acts.ts'

/**
 * An exact amount of $COTTON as decimal text without separators: `1234.5`, `-3`. Totals of the world can be larger than
 * what a JSON number represents exactly.
 */
export const Exact = z.string().check(z.regex(/^-?\d{1,30}(\.\d{1,6})?$/, 'is not an amount'))

/** An `Exact` amount as base units. */
export function fromExact(text: string): Cotton {
  const size = fromDecimal(text.replace(/^-/, '')) ?? ZERO
  return text.startsWith('-') ? baseUnits(-size) : size
}

/** The key of the last row of a page. It has a meaning for the server only. */
export const Cursor = z.string().check(z.regex(/^[\w-]{1,400}$/, 'is not a cursor'))

/**
 * A reason that is stored and that players may read: one line, at most `LONGEST_REASON` characters. Postgres stores no half of a
 * surrogate pair as JSON.
 */
export const Reason = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'is missing'),
    z.maxLength(LONGEST_REASON, `must have at most ${LONGEST_REASON} characters`),
    z.regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'must be one line of valid characters'),
  )

/** A page of a list, and the cursor of the next one; null on the last page. */
export const pageOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({ items: z.array(item), next: z.nullable(Cursor) })

/** The span of a chart: 24 points of an hour, or 30 of a day. */
export const Span = z.enum(['day', 'month'])
