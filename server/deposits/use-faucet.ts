import { cotton, toWire } from '#game/cotton.ts'
import { askLocalFaucet } from '#server/chain/local/ask-local-chain.ts'
import type { Address, Signature } from '#server/chain/port.ts'

/** What the faucet of the local chain gives to a wallet at once: 1,000,000 test $COTTON and 1 SOL. */
const GIFT = { baseUnits: cotton(1_000_000), lamports: 1_000_000_000n }

/**
 * Gives test $COTTON and SOL of the local chain to a wallet; its balance in the game does not move.
 * Rejects with `ChainUnavailable`.
 */
export async function useFaucet(
  rpcUrl: string,
  wallet: string,
): Promise<{ signatures: Signature[]; amount: number }> {
  const signatures = await askLocalFaucet(rpcUrl, { owner: wallet as Address, ...GIFT })
  return { signatures, amount: toWire(GIFT.baseUnits) }
}
