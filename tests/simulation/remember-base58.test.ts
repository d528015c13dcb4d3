import { getBase58Decoder as getPlainDecoder, getBase58Encoder as getPlainEncoder } from '@solana/kit'
import { expect, test } from 'vitest'
import { getBase58Decoder, getBase58Encoder } from './remember-base58.ts'

const VALUES = [
  new Uint8Array(),
  new Uint8Array(32),
  Uint8Array.of(0, 0, 1, 255),
  Uint8Array.from({ length: 64 }, (_, at) => (at * 37) % 256),
]

test.each(VALUES)('remembered base58 is that of the package: %j', (bytes) => {
  const text = getPlainDecoder().decode(bytes)
  for (const encoder of [getPlainEncoder(), getBase58Encoder(), getBase58Encoder()]) {
    expect(encoder.encode(text)).toEqual(bytes)
    expect(encoder.getSizeFromValue(text)).toBe(bytes.length)
    const target = new Uint8Array(bytes.length + 2)
    expect(encoder.write(text, target, 1)).toBe(bytes.length + 1)
    expect(target).toEqual(Uint8Array.of(0, ...bytes, 0))
  }
  const source = Uint8Array.of(9, ...bytes)
  for (const decoder of [getPlainDecoder(), getBase58Decoder(), getBase58Decoder()]) {
    expect(decoder.decode(source, 1)).toBe(text)
    expect(decoder.read(source, 1)).toEqual([text, source.length])
  }
})

test('what was read can be changed without changing what is remembered', () => {
  const text = getPlainDecoder().decode(VALUES[3]!)
  const encoded = getBase58Encoder().encode(text) as Uint8Array
  encoded.fill(0)
  expect(getBase58Encoder().encode(text)).toEqual(VALUES[3])
})

test('text that is not base58 is refused each time', () => {
  for (let time = 0; time < 2; time++) expect(() => getBase58Encoder().encode('0')).toThrow('base 58')
})
