import { hasPassed } from '#server/platform/has-passed.ts'

/** Timeout of the first attempt. Each later attempt has twice the timeout of the previous one. */
const FIRST_ATTEMPT_TIMEOUT_MS = 30_000

/** Whether no block has included the last of these attempts on one nonce within its timeout, so that it needs a higher fee. */
export const hasTimedOut = (attempts: readonly { signedAt: Date }[], now: Date): boolean =>
  hasPassed(FIRST_ATTEMPT_TIMEOUT_MS * 2 ** (attempts.length - 1), { from: attempts.at(-1)!.signedAt, now })
