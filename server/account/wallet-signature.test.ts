import { expect, test } from 'vitest'
import { testPlayer } from '#tests/support/test-player.ts'
import { isSignedBy } from './wallet-signature.ts'

const MESSAGE = Buffer.from('a message')

test('a signature has 64 bytes, and its wallet is an address', async () => {
  const { wallet, sign } = testPlayer()
  const signature = sign(MESSAGE)
  expect(await isSignedBy(wallet, MESSAGE, signature)).toBe(true)
  const [shorter, longer] = [signature.subarray(1), Buffer.concat([signature, Buffer.alloc(1)])]
  for (const other of [shorter, longer, Buffer.alloc(0), Buffer.alloc(64, 255)])
    expect(await isSignedBy(wallet, MESSAGE, other)).toBe(false)
  for (const other of ['nobody', '', `${wallet}1`, 'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG'])
    expect(await isSignedBy(other, MESSAGE, signature)).toBe(false)
})
