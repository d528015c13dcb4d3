/** The only source of random numbers in a simulated world: one seed gives the same sequence on every machine. */
export type Random = {
  /** At least 0, below 1. */
  fraction(): number
  /** True with this probability. */
  chance(probability: number): boolean
  /** An integer from `least` to `most`, both included. */
  between(min: number, max: number): number
  pick<T>(of: readonly T[]): T
  /** One of the values, with a probability proportional to its weight. */
  weighted<T>(of: readonly { weight: number; value: T }[]): T
  bytes(count: number): Uint8Array
  shuffled<T>(of: readonly T[]): T[]
}

/** sfc32, which passes PractRand, seeded through splitmix32 so that consecutive seeds are unrelated. */
export function createRandom(seed: number): Random {
  const next = sfc32(seed)
  const fraction = (): number => next() / 2 ** 32
  const between = (min: number, max: number): number => min + Math.floor(fraction() * (max - min + 1))
  const pick = <T>(of: readonly T[]): T => of[between(0, of.length - 1)]!
  return {
    fraction,
    chance: (probability) => fraction() < probability,
    between,
    pick,
    weighted(of) {
      let left = fraction() * of.reduce((sum, each) => sum + each.weight, 0)
      for (const each of of) {
        left -= each.weight
        if (left < 0) return each.value
      }
      return of.at(-1)!.value
    },
    bytes: (count) => Uint8Array.from({ length: count }, () => next() & 0xff),
    shuffled(of) {
      const left = [...of]
      return Array.from({ length: left.length }, () => left.splice(between(0, left.length - 1), 1)[0]!)
    },
  }
}

function sfc32(seed: number): () => number {
  let mixing = seed | 0
  const splitmix = (): number => {
    mixing = (mixing + 0x9e3779b9) | 0
    let z = mixing
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return z ^ (z >>> 15)
  }
  let [a, b, c, counter] = [splitmix(), splitmix(), splitmix(), 1]
  return () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
}
