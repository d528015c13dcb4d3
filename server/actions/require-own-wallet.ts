import { refuse } from '#server/platform/answer.ts'
import type { Player } from '#server/platform/http/serve.ts'

/** Refuses a call whose body names another wallet than that of the session. */
export function requireOwnWallet(player: Player, walletAddress: string): void {
  if (walletAddress !== player.wallet) refuse('wallet_of_another')
}
