import type { ServerMessage } from '#contract/realtime.ts'

// FIN and the text opcode. Frames of a server are unmasked (RFC 6455, section 5.2).
const WHOLE_TEXT = 0x81
const LENGTH_IN_2_BYTES = 126
const LENGTH_IN_8_BYTES = 127

/** Encodes a message as a complete WebSocket frame, so that one encoding serves all sockets. */
export function encodeFrame(message: ServerMessage): Buffer {
  const payload = Buffer.from(JSON.stringify(message))
  return Buffer.concat([encodeHeader(payload.length), payload])
}

function encodeHeader(length: number): Buffer {
  if (length < LENGTH_IN_2_BYTES) return Buffer.from([WHOLE_TEXT, length])
  if (length < 2 ** 16) {
    const head = Buffer.from([WHOLE_TEXT, LENGTH_IN_2_BYTES, 0, 0])
    head.writeUInt16BE(length, 2)
    return head
  }
  const head = Buffer.from([WHOLE_TEXT, LENGTH_IN_8_BYTES, 0, 0, 0, 0, 0, 0, 0, 0])
  head.writeUInt32BE(length, 6)
  return head
}
