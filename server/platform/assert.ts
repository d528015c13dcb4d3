/** Asserts an invariant that only a bug can violate. The error is never caught and ignored. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Bug: ${message}`)
}
