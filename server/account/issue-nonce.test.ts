import { expect, test } from 'vitest'
import type { Db } from '#server/platform/db/db.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { createNonces, openNonces } from './issue-nonce.ts'

const NOW = new Date('2026-01-05T12:00:00.123Z')
const KEY = Buffer.alloc(32, 1)

test('a nonce tells when it was issued, for its wallet and by its key only', async () => {
  const { wallet } = testPlayer()
  const nonces = createNonces(async () => KEY)
  const nonce = await nonces.issue(wallet, NOW)
  expect(await nonces.issuedAt(wallet, nonce)).toEqual(NOW)
  expect(await nonces.issuedAt(testPlayer().wallet, nonce)).toBeNull()
  expect(await nonces.issuedAt('nobody', nonce)).toBeNull()
  expect(await createNonces(async () => Buffer.alloc(32, 2)).issuedAt(wallet, nonce)).toBeNull()
  for (const other of [`00${nonce}`, `${nonce}00`, nonce.slice(2), nonce.toUpperCase(), ''])
    expect(await nonces.issuedAt(wallet, other)).toBeNull()
})

test('the key is read once, and again after the database could not be read', async () => {
  const { wallet } = testPlayer()
  let reads = 0
  const rows = async () => {
    reads += 1
    if (reads === 1) throw new Error('away')
    return [{ key: KEY }]
  }
  const nonces = openNonces({ rows } as unknown as Db)
  await expect(nonces.issue(wallet, NOW)).rejects.toThrow('away')
  const nonce = await nonces.issue(wallet, NOW)
  expect(await nonces.issuedAt(wallet, nonce)).toEqual(NOW)
  expect(reads).toBe(2)
})
