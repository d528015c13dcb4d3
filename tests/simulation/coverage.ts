/** Counts of events over all worlds. An event with the count 0 was not tested. */
export class Coverage {
  readonly #counts = new Map<string, number>()

  count(what: string, times = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + times)
  }

  /** All counts, in a form that can be sent between processes. */
  get counts(): [what: string, times: number][] {
    return [...this.#counts]
  }

  add(counts: readonly (readonly [what: string, times: number])[]): void {
    for (const [what, times] of counts) this.count(what, times)
  }

  countOf(what: string): number {
    return this.#counts.get(what) ?? 0
  }

  /** All counts under a heading: `crash: signer commit` → `signer commit`. */
  countsUnder(heading: string): Map<string, number> {
    const start = `${heading}: `
    const found = [...this.#counts].filter(([what]) => what.startsWith(start))
    return new Map(found.map(([what, times]) => [what.slice(start.length), times] as const).toSorted())
  }
}
