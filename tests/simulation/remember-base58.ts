import { registerHooks } from 'node:module'
import {
  getBase58Decoder as getPlainDecoder,
  getBase58Encoder as getPlainEncoder,
} from '@solana/codecs-strings'

export * from '@solana/codecs-strings'

/** More than a world has addresses, signatures and blockhashes. */
const MAX_REMEMBERED = 20_000

const plainEncoder = getPlainEncoder()
const plainDecoder = getPlainDecoder()
const known = { bytes: new Map<string, Uint8Array>(), texts: new Map<string, string>() }

function encode(text: string): Uint8Array {
  const found = known.bytes.get(text)
  return found ?? remember(known.bytes, text, plainEncoder.encode(text) as Uint8Array)
}

function decode(bytes: Uint8Array): string {
  const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return known.texts.get(key) ?? remember(known.texts, key, plainDecoder.decode(bytes))
}

function remember<Value>(values: Map<string, Value>, key: string, value: Value): Value {
  if (values.size === MAX_REMEMBERED) values.clear()
  values.set(key, value)
  return value
}

const encoder: typeof plainEncoder = {
  getSizeFromValue: (text) => encode(text).length,
  encode: (text) => encode(text).slice(),
  write(text, bytes, offset) {
    bytes.set(encode(text), offset)
    return offset + encode(text).length
  },
}

const decoder: typeof plainDecoder = {
  decode: (bytes, offset = 0) => decode((bytes as Uint8Array).subarray(offset)),
  read: (bytes, offset) => [decode((bytes as Uint8Array).subarray(offset)), bytes.length],
}

/**
 * Replaces the functions of `@solana/codecs-strings`: a world converts the same few addresses and signatures thousands of
 * times. Load this file with `--import`, before anything else imports that package.
 */
export const getBase58Encoder = (): typeof plainEncoder => encoder
export const getBase58Decoder = (): typeof plainDecoder => decoder

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === '@solana/codecs-strings' && context.parentURL !== import.meta.url
      ? { url: import.meta.url, shortCircuit: true }
      : nextResolve(specifier, context),
})
