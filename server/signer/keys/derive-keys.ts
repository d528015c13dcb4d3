import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from '@solana/kit'

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
const KEY_BYTES = 32

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
  return purposeKeyAt(seed, 0, PURPOSE.verdict)
}

function keyAt(seed: Uint8Array, index: number, purpose: number): Promise<KeyPairSigner> {
  return createKeyPairSignerFromPrivateKeyBytes(purposeKeyAt(seed, index, purpose))
}

function purposeKeyAt(seed: Uint8Array, index: number, purpose: number): Uint8Array {
  assert(seed.length >= MIN_SEED_BYTES, `a seed has at least ${MIN_SEED_BYTES} bytes`)
  assert(Number.isInteger(index) && index >= 0 && index < HARDENED_INDEXES, `no key has the index ${index}`)
  return privateKeyAt(seed, `m/44'/501'/${index}'/${purpose}'`)
}

/**
 * The 32 private bytes at a path of hardened steps, e.g. `m/44'/501'/0'/0'` (SLIP-0010). A library also computes a public key at
 * each step. That takes almost all of the time, and hardened steps do not use it.
 */
export function privateKeyAt(seed: Uint8Array, path: string): Uint8Array {
  assert(/^m(\/\d+')*$/.test(path), `"${path}" is no path of hardened steps`)
  const master = createHmac('sha512', 'ed25519 seed').update(seed).digest()
  const steps = [...path.matchAll(/\d+/g)].map(Number)
  return steps.reduce(deriveChild, master).subarray(0, KEY_BYTES)
}

/** A private key and its chain code, 32 bytes each, one step further. */
function deriveChild(parent: Buffer, step: number): Buffer {
  const [key, chainCode] = [parent.subarray(0, KEY_BYTES), parent.subarray(KEY_BYTES)]
  const index = Buffer.alloc(4)
  index.writeUInt32BE(HARDENED_INDEXES + step)
  return createHmac('sha512', chainCode).update(Uint8Array.of(0)).update(key).update(index).digest()
}
