/** A violated invariant of the money, which the simulation exists to find. */
export class Violation extends Error {
  override readonly name = 'Violation'
  readonly invariant: string
  constructor(invariant: string, what: string) {
    super(`${invariant}: ${what}`)
    this.invariant = invariant
  }
}
