import assert from 'node:assert/strict'
import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from '@solana/kit'
import { HDKey } from 'micro-key-producer/slip10.js'

/**
 * Every key of the server is derived from one seed by SLIP-0010 (Ed25519, hardened only). The last step of the path is
 * the purpose of the key, so no player's index can reach the key of the treasury or of a lane:
 *
 *   m/44'/501'/i'/0'   deposit owner of player i
 *   m/44'/501'/0'/1'   treasury
 *   m/44'/501'/n'/2'   nonce account of payout lane n
 *   m/44'/501'/0'/3'   MAC of the signer's verdicts
 */
const PURPOSE = { deposit: 0, treasury: 1, lane: 2, verdict: 3 } as const

const MIN_SEED_BYTES = 32
const HARDENED_INDEXES = 2 ** 31

/** The owner key of a player's deposit address. `index` is an integer from 0 to 2³¹ − 1. */
export function deriveKey(seed: Uint8Array, index: number): Promise<KeyPairSigner> {
  return keyAt(seed, index, PURPOSE.deposit)
}

/** The key of the treasury. It pays fees and signs payouts. */
export function deriveTreasuryKey(seed: Uint8Array): Promise<KeyPairSigner> {
  return keyAt(seed, 0, PURPOSE.treasury)
}

/** The key of a lane's nonce account. It signs only the creation of that account. */
export function deriveLaneKey(seed: Uint8Array, lane: number): Promise<KeyPairSigner> {
  return keyAt(seed, lane, PURPOSE.lane)
}

/** The key of the MAC that seals verdicts. It signs no transaction. */
export function deriveVerdictKey(seed: Uint8Array): Uint8Array {
  return privateKeyAt(seed, `m/44'/501'/0'/${PURPOSE.verdict}'`)
}

/** The 32 private bytes at a path of hardened steps, e.g. `m/44'/501'/0'/0'` (SLIP-0010). */
export function privateKeyAt(seed: Uint8Array, path: string): Uint8Array {
  return HDKey.fromMasterSeed(seed).derive(path).privateKey
}

// Each step computes a public key that nobody reads. The steps that all keys have in common are taken once.
const parents = new WeakMap<Uint8Array, HDKey>()

function keyAt(seed: Uint8Array, index: number, purpose: number): Promise<KeyPairSigner> {
  assert(seed.length >= MIN_SEED_BYTES, `a seed has at least ${MIN_SEED_BYTES} bytes`)
  assert(Number.isInteger(index) && index >= 0 && index < HARDENED_INDEXES, `no key has the index ${index}`)
  const parent = parents.get(seed) ?? HDKey.fromMasterSeed(seed).derive("m/44'/501'")
  parents.set(seed, parent)
  const { privateKey } = parent.deriveChild(HARDENED_INDEXES + index).deriveChild(HARDENED_INDEXES + purpose)
  return createKeyPairSignerFromPrivateKeyBytes(privateKey)
}
