/** Why a login or a signature failed: the message for the player (spec §8), and what they can do. */
export class LoginError extends Error {
  readonly hint: string | null
  constructor(message: string, hint: string | null = null) {
    super(message)
    this.hint = hint
  }
}
