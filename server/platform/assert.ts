/** A statement that only a bug can break. It is never caught to go on. */
export function assert(holds: unknown, what: string): asserts holds {
  if (!holds) throw new Error(`Bug: ${what}`)
}
