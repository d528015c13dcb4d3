/**
 * Errors of the code itself, which no fault of a world explains. A process logs them and goes on, as after a fault, and may
 * succeed in its next round, so no invariant needs to notice.
 */
export class CodeErrors {
  #first: Error | null = null

  note(error: unknown): void {
    if (error instanceof TypeError || error instanceof ReferenceError) this.#first ??= error
  }

  throwFirst(): void {
    if (this.#first !== null) throw this.#first
  }
}
