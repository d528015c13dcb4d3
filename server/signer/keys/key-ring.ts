import { createHmac, createSecretKey } from 'node:crypto'
import type { KeyPairSigner } from '@solana/kit'
import type { Address } from '#server/chain/port.ts'
import { deriveKey, deriveLaneKey, deriveTreasuryKey, deriveVerdictKey } from './derive-keys.ts'
import { readMasterSeed, type SeedSources } from './master-seed.ts'

/** Derives keys on request. The seed and the private bytes stay in this folder; key pairs cannot be exported. */
export type KeyRing = {
  /** Holds the treasury, pays fees, and signs payouts. */
  treasury: KeyPairSigner
  /** The address that owns a player's deposit account, without its key. */
  depositAddress(index: number): Promise<Address>
  /** The key of a deposit address. It signs sweeps. */
  depositKey(index: number): Promise<KeyPairSigner>
  /** The key of a lane's nonce account. It signs the creation of that account. */
  laneKey(lane: number): Promise<KeyPairSigner>
  /** The MAC of a text, 32 bytes. Only the holder of the seed can compute it. */
  seal(text: string): Uint8Array
}

/** Reads the seed and returns the keys derived from it. Refuses to start without a valid seed. */
export function openKeyRing(sources: SeedSources): Promise<KeyRing> {
  return createKeyRing(readMasterSeed(sources))
}

/** The keys of a seed, which has at least 32 bytes. */
export async function createKeyRing(seed: Uint8Array): Promise<KeyRing> {
  const verdictKey = createSecretKey(deriveVerdictKey(seed))
  return {
    treasury: await deriveTreasuryKey(seed),
    depositAddress: async (index) => (await deriveKey(seed, index)).address,
    depositKey: (index) => deriveKey(seed, index),
    laneKey: (lane) => deriveLaneKey(seed, lane),
    seal: (text) => createHmac('sha256', verdictKey).update(text).digest(),
  }
}
