const known = new Map<string, Uint8Array>()

/** The private key of a path. It is derived once for all worlds, which all have the same seed. */
export function rememberKey(path: string, derive: () => Uint8Array): Uint8Array {
  const found = known.get(path) ?? derive()
  known.set(path, found)
  return found
}
