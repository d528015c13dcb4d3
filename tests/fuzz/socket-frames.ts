import * as fc from 'fast-check'
import { CONTINENTS } from '#game/continents.ts'
import { ClientMessageSchema } from '#contract/realtime.ts'
import { damagedJson, oddText, schemaOf, valueOf } from './json-values.ts'

/** A frame of the WebSocket protocol (RFC 6455), as its sender writes it: right or wrong. In `payload` each character is one byte. */
export type SentFrame = {
  fin: boolean
  /** The three reserved bits. */
  rsv: number
  opcode: number
  masked: boolean
  payload: string
  /** The length that the header names, if it is not that of the payload. */
  claimed: number | null
  /** How many bytes the header uses for the length, if it is not the smallest number. */
  lengthBytes: 0 | 2 | 8
}

const frame = (changed: Partial<SentFrame>): SentFrame => ({
  fin: true,
  rsv: 0,
  opcode: 1,
  masked: true,
  payload: '',
  claimed: null,
  lengthBytes: 0,
  ...changed,
})

const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')

const topics = [
  ...CONTINENTS.map((code) => `continent:${code}`),
  'continent:__proto__',
  'constructor',
  'workers',
  '',
]

const wellFormed: fc.Arbitrary<SentFrame> = fc
  .tuple(fc.constantFrom('subscribe', 'unsubscribe'), fc.constantFrom(...topics))
  .map(([type, topic]) => frame({ payload: JSON.stringify({ type, topic }) }))

const wrongMessage = damagedJson(valueOf(schemaOf(ClientMessageSchema), { topic: topics })).map((payload) =>
  frame({ payload: payload.slice(0, 3_000) }),
)

const control = fc
  .tuple(fc.constantFrom(9, 9, 10), oddText)
  .map(([opcode, text]) => frame({ opcode, payload: bytesOf(text).slice(0, 125) }))

/** Frames that end a connection, because they are against the protocol or too large. */
const againstProtocol: fc.Arbitrary<SentFrame> = fc.oneof(
  fc.integer({ min: 1, max: 7 }).map((rsv) => frame({ rsv, payload: '{}' })),
  fc.constantFrom(3, 4, 7, 11, 15).map((opcode) => frame({ opcode })),
  fc.constant(frame({ masked: false, payload: '{}' })),
  // Not UTF-8: overlong, a surrogate, cut off, above the last code point.
  fc
    .constantFrom('\u00c0\u00af', '\u00ed\u00a0\u0080', '\u00f0\u009f', '\u00f5\u0080\u0080\u0080', '\u00ff')
    .map((payload) => frame({ payload })),
  fc.integer({ min: 4_097, max: 70_000 }).map((size) => frame({ payload: 'a'.repeat(size) })),
  fc.integer({ min: 126, max: 1_000 }).map((size) => frame({ opcode: 9, payload: 'a'.repeat(size) })),
  fc.constantFrom(9, 8, 10).map((opcode) => frame({ opcode, fin: false })),
  fc.constant(frame({ opcode: 0, payload: 'nothing to continue' })),
  // Close frames: without a code, half of one, codes that nobody may send, a reason that is not UTF-8.
  fc
    .constantFrom(
      '',
      '\u0003',
      '\u0003\u00e8',
      '\u0003\u00ed',
      '\u0000\u0000',
      '\u00ff\u00ff',
      '\u0003\u00e8\u00ff',
    )
    .map((payload) => frame({ opcode: 8, payload })),
  fc.constantFrom<0 | 2 | 8>(2, 8).map((lengthBytes) => frame({ lengthBytes, payload: '{}' })),
  fc.constantFrom(2 ** 31, 2 ** 53, 2 ** 53 + 2, 1e18).map((claimed) => frame({ claimed, lengthBytes: 8 })),
)

/** A message in many fragments, more than the server reads, with another frame in between. */
const fragments: fc.Arbitrary<SentFrame[]> = fc
  .tuple(fc.integer({ min: 2, max: 40 }), fc.option(control), fc.boolean())
  .map(([count, between, ends]) => {
    const text = JSON.stringify({ type: 'subscribe', topic: 'continent:EU' })
    const parts = Array.from({ length: count }, (_, at) =>
      frame({
        opcode: at === 0 ? 1 : 0,
        fin: ends && at === count - 1,
        payload: text.slice(at * 2, at === count - 1 ? undefined : at * 2 + 2),
      }),
    )
    return between ? [parts[0]!, between, ...parts.slice(1)] : parts
  })

const one = (frames: fc.Arbitrary<SentFrame>): fc.Arbitrary<SentFrame[]> => frames.map((each) => [each])

/**
 * The frames of one connection. At first those that the server reads to the end, so that most of them do reach it: after
 * twenty messages, two malformed ones or one against the protocol it closes the connection.
 */
export const connectionFrames: fc.Arbitrary<SentFrame[]> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 3, arbitrary: wellFormed }, { weight: 1, arbitrary: control }), {
      maxLength: 18,
    }),
    fc.array(
      fc.oneof(
        { weight: 2, arbitrary: one(wrongMessage) },
        { weight: 1, arbitrary: one(wellFormed) },
        { weight: 2, arbitrary: fragments },
        { weight: 2, arbitrary: one(againstProtocol) },
        { weight: 1, arbitrary: one(control) },
      ),
      { minLength: 1, maxLength: 6 },
    ),
  )
  .map(([first, then]) => [...first, ...then.flat()])

const MASK = Buffer.from([0x5a, 0x00, 0xff, 0x13])

/** The bytes of a frame. */
export function encodeSentFrame({
  fin,
  rsv,
  opcode,
  masked,
  payload,
  claimed,
  lengthBytes,
}: SentFrame): Buffer {
  const data = Buffer.from(payload, 'latin1')
  const length = claimed ?? data.length
  const wide = lengthBytes || (length < 126 ? 0 : length < 65_536 ? 2 : 8)
  const header = Buffer.alloc(2 + wide)
  header[0] = (fin ? 0x80 : 0) | (rsv << 4) | opcode
  header[1] = (masked ? 0x80 : 0) | (wide === 0 ? length : wide === 2 ? 126 : 127)
  if (wide === 2) header.writeUInt16BE(length, 2)
  if (wide === 8) header.writeBigUInt64BE(BigInt(length), 2)
  if (!masked) return Buffer.concat([header, data])
  return Buffer.concat([header, MASK, data.map((byte, at) => byte ^ MASK[at % 4]!)])
}
