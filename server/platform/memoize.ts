/** Computes a value on the first call and returns it on every call. */
export function memoize<T>(compute: () => T): () => T {
  let computed: { value: T } | null = null
  return () => (computed ??= { value: compute() }).value
}
