import type { KeyPairSigner } from '@solana/kit'
import type { Address, Chain } from '#server/chain/port.ts'
import { deriveTreasuryKey } from '#server/chain/keys.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'

/** What every step of the signer stands on. Only this process ever holds a seed or a key. */
export type Signer = {
  db: Db
  chain: Chain
  clock: Clock
  log: Log
  seed: Uint8Array
  treasury: KeyPairSigner
  /** Where the treasury's tokens are. */
  treasuryTokens: Address
  /** Lanes that this process has made safe to sign on. */
  lanes: Map<number, LaneCare>
}

/** The nonce that a free lane had when this process came up; until it has moved on, nothing is signed. */
export type LaneCare = { nonceBefore: string; renewed: boolean }

/** Opens the signer over a seed. */
export async function openSigner(
  of: Pick<Signer, 'db' | 'chain' | 'clock' | 'log' | 'seed'>,
): Promise<Signer> {
  const treasury = await deriveTreasuryKey(of.seed)
  return {
    ...of,
    treasury,
    treasuryTokens: await of.chain.tokenAccountOf(treasury.address),
    lanes: new Map(),
  }
}
