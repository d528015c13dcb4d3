import type { Way } from './suite.ts'

/** What one turn of a way brought. Times in ms, where they are known; `more` by the heading of its column. */
export type Turn = {
  done: number
  seconds: number
  p50Ms?: number
  p99Ms?: number
  more?: Record<string, number>
}

/** A way of doing the work, and how to let it do so once. */
export type TimedWay<T extends Turn = Turn> = { way: Way; run(): Promise<T> }

/** A way without figures yet. */
export const wayOf = (name: string, base?: string): Way => ({
  name,
  ...(base === undefined ? {} : { base }),
  perSecond: [],
  p50Ms: [],
  p99Ms: [],
})

type Rounds<T extends Turn> = {
  rounds: number
  say(line: string): void
  /** Before each turn. */
  settle?(): Promise<void>
  /** Holds a turn against the books, the first one, which is not measured, too. */
  check?(turn: T): Promise<void>
  /** Holds all books against each other. */
  audit?(): Promise<void>
}

/** Lets all ways do their turn, one after the other, round by round; the first round warms them up and is forgotten. */
export async function takeTurns<T extends Turn>(
  ways: readonly TimedWay<T>[],
  { rounds, say, settle, check, audit }: Rounds<T>,
): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    for (const { way, run } of ways) {
      await settle?.()
      const turn = await run()
      await check?.(turn)
      if (round === 0) continue
      way.perSecond.push(turn.done / turn.seconds)
      if (turn.p50Ms !== undefined) way.p50Ms?.push(turn.p50Ms)
      if (turn.p99Ms !== undefined) way.p99Ms?.push(turn.p99Ms)
      for (const [heading, value] of Object.entries(turn.more ?? {})) {
        const more = (way.more ??= {})
        more[heading] = [...(more[heading] ?? []), value]
      }
    }
    await audit?.()
    const told = ways.map(({ way }) => `${way.name} ${Math.round(way.perSecond.at(-1) ?? 0)}`)
    if (round > 0) say(`round ${round}/${rounds}: ${told.join('; ')}`)
  }
}
