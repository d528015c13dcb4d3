/** A statement that only a bug can break. It is never caught to go on. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Bug: ${message}`)
}
