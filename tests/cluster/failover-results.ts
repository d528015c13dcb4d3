import type { Answer, Call } from '#tests/histories/history.ts'

/** Attempts that clients had to repeat. */
type Failed = {
  /** Answered with `busy`: nothing had happened. */
  busy: number
  /** Not answered, or with an outcome that is unknown. */
  inDoubt: number
}

export type RoundResult = Failed & {
  /** Until another node was primary; null if the primary stayed. */
  floorMs: number | null
  /** The longest time without an acknowledgement. */
  gapMs: number
  /** Whether an action was acknowledged that was called after the failure. */
  isAnswered: boolean
  acknowledged: number
  /** Actions of which clients never learned the outcome. */
  unknown: number
  /** What the checker of histories found. */
  faults: readonly string[]
  /** What the audit found. */
  audit: readonly string[]
}

export function countFailed(events: readonly (Call | Answer)[]): Failed {
  const outcomes = events.flatMap((event) => (event.event === 'answer' ? [event] : []))
  return {
    busy: outcomes.filter((each) => each.outcome === 'refused' && each.code === 'busy').length,
    inDoubt: outcomes.filter(({ outcome }) => outcome === 'unknown').length,
  }
}

const LOST = /lost|fit no order|is stored as/
const DOUBLED = /twice|two keys/

const UNANSWERED = 'No action was acknowledged after the failure.'

const seconds = (ms: number): string => (ms / 1000).toFixed(1)

/** The results of rounds, by kind of failure. */
export class Results {
  readonly #rounds = new Map<string, RoundResult[]>()

  #failure: unknown

  /** A round that did not end, which is a fault, too. */
  fail(error: unknown): void {
    this.#failure = error
  }

  get faults(): number {
    const rounds = [...this.#rounds.values()].flat()
    const ended = rounds.reduce((sum, { faults, audit }) => sum + faults.length + audit.length, 0)
    return ended + (this.#failure === undefined ? 0 : 1)
  }

  /** Adds a round and returns its line. */
  add(kind: string, given: RoundResult): string {
    const faults = given.isAnswered ? given.faults : [...given.faults, UNANSWERED]
    const result = { ...given, faults }
    this.#rounds.set(kind, [...(this.#rounds.get(kind) ?? []), result])
    const { floorMs, gapMs, acknowledged, busy, inDoubt, unknown, audit } = result
    const number = [...this.#rounds.values()].flat().length
    const floor = floorMs === null ? 'the primary stayed' : `another primary after ${seconds(floorMs)} s`
    const attempts = `${busy} attempts busy, ${inDoubt} in doubt`
    const counts = `${acknowledged} acknowledged, ${attempts}, ${unknown} unknown, ${faults.length} faults, audit ${audit.length}`
    const found = [...faults, ...audit].slice(0, 10).map((fault) => `\n   ${fault.slice(0, 600)}`)
    return `${number}. ${kind}: ${floor}, ${seconds(gapMs)} s without writes, ${counts}${found.join('')}`
  }

  /** A table in Markdown. */
  lines(): string[] {
    const head = [
      '| Kind | Rounds | Acknowledged | Busy | In doubt | Unknown | Lost | Doubled | Audit | Without writes | Until another primary |',
      '| ---- | ------ | ------------ | ---- | -------- | ------- | ---- | ------- | ----- | -------------- | --------------------- |',
    ]
    const rows = [...this.#rounds].map(([kind, rounds]) => formatKind(kind, rounds))
    return [...head, ...rows, ...(this.#failure === undefined ? [] : [String(this.#failure)])]
  }
}

function formatKind(kind: string, rounds: readonly RoundResult[]): string {
  const sum = (count: (round: RoundResult) => number): number =>
    rounds.reduce((total, round) => total + count(round), 0)
  const matching = (pattern: RegExp): number =>
    sum(({ faults }) => faults.filter((fault) => pattern.test(fault)).length)
  const spread = (numbers: readonly number[]): string => {
    const sorted = numbers.toSorted((a, b) => a - b)
    if (sorted.length === 0) return '–'
    return `${seconds(sorted[Math.floor(sorted.length / 2)]!)} s, worst ${seconds(sorted.at(-1)!)} s`
  }
  const cells = [
    kind,
    rounds.length,
    sum(({ acknowledged }) => acknowledged),
    sum(({ busy }) => busy),
    sum(({ inDoubt }) => inDoubt),
    sum(({ unknown }) => unknown),
    matching(LOST),
    matching(DOUBLED),
    sum(({ audit }) => audit.length) || 'clean',
    spread(rounds.map(({ gapMs }) => gapMs)),
    spread(rounds.flatMap(({ floorMs }) => floorMs ?? [])),
  ]
  return `| ${cells.join(' | ')} |`
}
