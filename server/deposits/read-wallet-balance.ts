import { baseUnits, type Cotton } from '#game/cotton.ts'
import type { Address, Chain } from '#server/chain/port.ts'

/**
 * The $COTTON in a wallet's associated token account, at the processed commitment. It is shown to the player; the ledger
 * does not use it. Rejects with `ChainUnavailable`.
 */
export async function readWalletBalance(chain: Chain, wallet: string): Promise<Cotton> {
  const account = await chain.tokenAccountOf(wallet as Address)
  return baseUnits(await chain.tokenBalance(account, 'processed'))
}
