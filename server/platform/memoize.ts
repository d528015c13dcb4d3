/** Makes something when it is first asked for, and gives the same from then on. */
export function memoize<T>(compute: () => T): () => T {
  let computed: { value: T } | null = null
  return () => (computed ??= { value: compute() }).value
}
