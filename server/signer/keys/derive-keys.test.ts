import { randomBytes, randomInt } from 'node:crypto'
import { HDKey } from 'micro-key-producer/slip10.js'
import { expect, test } from 'vitest'
import { deriveKey, deriveLaneKey, deriveTreasuryKey, deriveVerdictKey, privateKeyAt } from './derive-keys.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))

// SLIP-0010, test vectors 1 and 2 for ed25519
const VECTORS: [seed: string, path: string, key: string][] = [
  [
    '000102030405060708090a0b0c0d0e0f',
    'm',
    '2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7',
  ],
  [
    '000102030405060708090a0b0c0d0e0f',
    "m/0'",
    '68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3',
  ],
  [
    '000102030405060708090a0b0c0d0e0f',
    "m/0'/1'/2'/2'/1000000000'",
    '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793',
  ],
  [
    'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542',
    "m/0'/2147483647'/1'/2147483646'/2'",
    '551d333177df541ad876a60ea71f00447931c0a9da16f227c11ea080d7391b8d',
  ],
]

test.each(VECTORS)('the key of seed %s at %s is that of the test vector', (seed, path, key) => {
  expect(hex(privateKeyAt(bytes(seed), path))).toBe(key)
})

test('a library derives the same keys', () => {
  for (let round = 0; round < 20; round++) {
    const seed = randomBytes(64)
    const path = `m/44'/501'/${randomInt(2 ** 31)}'/${randomInt(4)}'`
    expect(hex(privateKeyAt(seed, path))).toBe(hex(HDKey.fromMasterSeed(seed).derive(path).privateKey))
  }
})

// The BIP-39 seed of the English test mnemonic "abandon … about"; wallets show this address first.
const ABANDON = bytes(
  '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4',
)

test('player 0 of a well-known mnemonic has the address that wallets show', async () => {
  expect((await deriveKey(ABANDON, 0)).address).toBe('HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk')
})

test('no player, lane or treasury share a key', async () => {
  const keys = [deriveTreasuryKey(ABANDON)]
  for (let i = 0; i < 20; i++) keys.push(deriveKey(ABANDON, i), deriveLaneKey(ABANDON, i))
  const addresses = (await Promise.all(keys)).map((key) => key.address)
  expect(new Set(addresses).size).toBe(addresses.length)
})

test('an index out of range and a seed that is too short are bugs', () => {
  for (const index of [-1, 0.5, 2 ** 31, NaN]) expect(() => deriveKey(ABANDON, index)).toThrow('no key has')
  expect(() => deriveKey(new Uint8Array(8), 0)).toThrow('at least 32 bytes')
  expect(() => deriveVerdictKey(new Uint8Array(8))).toThrow('at least 32 bytes')
})

test.each(["44'/501'", "m/44/501'", "m/44'/", "m/x'"])('%s is no path, and has no key', (path) => {
  expect(() => privateKeyAt(ABANDON, path)).toThrow('is no path of hardened steps')
})
