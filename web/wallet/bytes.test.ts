import { assert, property, uint8Array } from 'fast-check'
import { getBase58Decoder } from '@solana/kit'
import { expect, test } from 'vitest'
import { base58, base64, fromBase64 } from './bytes.ts'

const bytes = uint8Array({ maxLength: 80 })

test('base58 writes addresses as Solana’s own library does', () => {
  const theirs = getBase58Decoder()
  assert(
    property(bytes, (given) => {
      expect(base58(given)).toBe(theirs.decode(given))
    }),
  )
  expect(base58(new Uint8Array(32))).toBe('1'.repeat(32))
})

test('base64 comes back as it went', () => {
  assert(
    property(bytes, (given) => {
      expect(base64(given)).toBe(Buffer.from(given).toString('base64'))
      expect([...fromBase64(base64(given))]).toEqual([...given])
    }),
  )
})
