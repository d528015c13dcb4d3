import { cotton, toWire } from '#game/cotton.ts'
import { askLocalFaucet, InvalidFaucetRequest } from '#server/chain/ask-local-chain.ts'
import type { Address, Signature } from '#server/chain/port.ts'
import { refuse } from '#server/platform/answer.ts'

/** The gift of one faucet request: 1,000,000 test $COTTON and 1 SOL. */
const GIFT = { baseUnits: cotton(1_000_000), lamports: 1_000_000_000n }

/**
 * Gives test $COTTON and SOL of the local chain to a wallet; its balance in the game does not change.
 * Rejects with `ChainUnavailable`. Refuses with malformed if the address cannot hold tokens.
 */
export async function useFaucet(
  rpcUrl: string,
  wallet: string,
): Promise<{ signatures: Signature[]; amount: number }> {
  try {
    const signatures = await askLocalFaucet(rpcUrl, { owner: wallet as Address, ...GIFT })
    return { signatures, amount: toWire(GIFT.baseUnits) }
  } catch (error) {
    if (!(error instanceof InvalidFaucetRequest)) throw error
    return refuse('malformed', { field: 'walletAddress', problem: 'is an address that cannot hold tokens' })
  }
}
