import { baseUnits, type Cotton } from '#game/cotton.ts'
import type { Address, Chain } from '#server/chain/port.ts'

/**
 * The $COTTON that a wallet holds on the chain itself, in its usual token account, as new as a node knows it: the player
 * decides by it, the books do not. Rejects with `ChainUnavailable`.
 */
export async function readWalletBalance(chain: Chain, wallet: string): Promise<Cotton> {
  const account = await chain.tokenAccountOf(wallet as Address)
  return baseUnits(await chain.tokenBalance(account, 'processed'))
}
