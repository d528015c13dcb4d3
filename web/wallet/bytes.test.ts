import { assert, property, uint8Array } from 'fast-check'
import { getBase58Decoder } from '@solana/kit'
import { expect, test } from 'vitest'
import { base58, base64, fromBase64 } from './bytes.ts'

const bytes = uint8Array({ maxLength: 80 })

test('base58 encodes addresses as Solana’s own library does', () => {
  const decoder = getBase58Decoder()
  assert(
    property(bytes, (input) => {
      expect(base58(input)).toBe(decoder.decode(input))
    }),
  )
  expect(base58(new Uint8Array(32))).toBe('1'.repeat(32))
})

test('base64 is canonical and decodes to the same bytes', () => {
  assert(
    property(bytes, (input) => {
      expect(base64(input)).toBe(Buffer.from(input).toString('base64'))
      expect([...fromBase64(base64(input))]).toEqual([...input])
    }),
  )
})
