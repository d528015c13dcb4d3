import type { Variant } from './suite.ts'

/** What one round of a variant measured. Times in ms; `more` by column heading. */
export type Measurement = {
  done: number
  seconds: number
  p50Ms?: number
  p99Ms?: number
  more?: Record<string, number>
}

/** A variant, and a function that measures it once. */
export type TimedVariant<T extends Measurement = Measurement> = { variant: Variant; run(): Promise<T> }

/** A variant without figures. */
export const newVariant = (name: string, base?: string): Variant => ({
  name,
  ...(base === undefined ? {} : { base }),
  perSecond: [],
  p50Ms: [],
  p99Ms: [],
})

type Rounds<T extends Measurement> = {
  rounds: number
  say(line: string): void
  /** Before each measurement. */
  prepare?(): Promise<void>
  /** Compares each measurement, the warm-up included, with the ledger. */
  check?(measurement: T): Promise<void>
  /** Audits everything after each round. */
  audit?(): Promise<void>
}

/** Measures all variants in turn, round by round. The first round is a warm-up and is discarded. */
export async function measureRounds<T extends Measurement>(
  variants: readonly TimedVariant<T>[],
  { rounds, say, prepare, check, audit }: Rounds<T>,
): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    for (const { variant, run } of variants) {
      await prepare?.()
      const measurement = await run()
      await check?.(measurement)
      if (round > 0) addTo(variant, measurement)
    }
    await audit?.()
    const rates = variants.map(
      ({ variant }) => `${variant.name} ${Math.round(variant.perSecond.at(-1) ?? 0)}`,
    )
    if (round > 0) say(`round ${round}/${rounds}: ${rates.join('; ')}`)
  }
}

function addTo(variant: Variant, { done, seconds, p50Ms, p99Ms, more = {} }: Measurement): void {
  variant.perSecond.push(done / seconds)
  if (p50Ms !== undefined) variant.p50Ms?.push(p50Ms)
  if (p99Ms !== undefined) variant.p99Ms?.push(p99Ms)
  for (const [heading, value] of Object.entries(more)) {
    const columns = (variant.more ??= {})
    columns[heading] = [...(columns[heading] ?? []), value]
  }
}
