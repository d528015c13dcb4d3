import type { WithdrawalReason } from '#contract/withdrawal-reasons.ts'

/** With one of these, an approved withdrawal waits until its player can use the token account of the wallet. */
export const PLAYER_REASONS: ReadonlySet<WithdrawalReason> = new Set(['account_closed', 'account_unusable'])
