/** The longest name, kind or wallet that is read. */
export const LONGEST_NAME = 100

/** A name in a column, shortened: whoever has a database login that may write it can store one of any length. */
export const boundedName = (column: string): string => `left(${column}, ${LONGEST_NAME})`
