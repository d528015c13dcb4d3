/** Counters by name. A counter at zero uses no memory. */
export class CountByName {
  readonly #counts = new Map<string, number>()

  countOf(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  add(name: string): void {
    this.#counts.set(name, this.countOf(name) + 1)
  }

  remove(name: string): void {
    const remaining = this.countOf(name) - 1
    if (remaining > 0) this.#counts.set(name, remaining)
    else this.#counts.delete(name)
  }
}
