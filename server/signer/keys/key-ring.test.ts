import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { deriveKey, deriveLaneKey, privateKeyAt } from './derive-keys.ts'
import { createKeyRing } from './key-ring.ts'

const seed = Uint8Array.from(randomBytes(64))

test('a key ring exposes neither the seed nor the private bytes of a key', async () => {
  const keys = await createKeyRing(seed)
  const pairs = [keys.treasury, await keys.depositKey(1), await keys.laneKey(1)]
  for (const { keyPair } of pairs) {
    expect(keyPair.privateKey.extractable).toBe(false)
    await expect(crypto.subtle.exportKey('pkcs8', keyPair.privateKey)).rejects.toThrow('not extractable')
  }
  const text = inspect({ keys, pairs }, { depth: Infinity, showHidden: true, maxArrayLength: Infinity })
  const shown = text.replaceAll(/\s+/g, ' ')
  for (const secret of [seed, privateKeyAt(seed, "m/44'/501'/0'/1'")]) {
    const hex = Buffer.from(secret).toString('hex')
    expect(shown).not.toContain(hex)
    // As a buffer is shown, of which the end may be left out.
    expect(shown).not.toContain(hex.slice(0, 64).replaceAll(/..(?=.)/g, '$& '))
    expect(shown).not.toContain([...secret].join(', '))
  }
})

test('a deposit address belongs to the key that sweeps it', async () => {
  const keys = await createKeyRing(seed)
  expect(await keys.depositAddress(7)).toBe((await deriveKey(seed, 7)).address)
  expect((await keys.depositKey(7)).address).toBe(await keys.depositAddress(7))
  expect((await keys.laneKey(7)).address).toBe((await deriveLaneKey(seed, 7)).address)
})
