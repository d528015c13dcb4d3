// The parts of RFC 6455 that a client of a well-behaved server needs.

const MASK = Buffer.alloc(4)

/** The pong for a ping without a payload. */
export const PONG = Buffer.concat([Buffer.from([0x8a, 0x80]), MASK])

/** The upgrade request of a WebSocket (section 4.1). The key may be any sixteen bytes. */
export function upgradeRequest(port: number): string {
  return [
    'GET /ws HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Key: ${Buffer.alloc(16, 7).toString('base64')}`,
    'Sec-WebSocket-Version: 13',
    '\r\n',
  ].join('\r\n')
}

/** Subscribes to a topic: a text frame of less than 126 bytes, masked with zeros. */
export function subscribeFrame(topic: string): Buffer {
  const payload = Buffer.from(JSON.stringify({ type: 'subscribe', topic }))
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length]), MASK, payload])
}

/** Reads the complete frames in these bytes. Returns their length. */
export function eachFrame(bytes: Buffer, read: (opcode: number, payload: Buffer) => void): number {
  let at = 0
  while (at + 2 <= bytes.length) {
    const short = bytes[at + 1]! & 0x7f
    const head = short === 126 ? 4 : short === 127 ? 10 : 2
    if (at + head > bytes.length) break
    const length =
      short === 126 ? bytes.readUInt16BE(at + 2) : short === 127 ? bytes.readUInt32BE(at + 6) : short
    if (at + head + length > bytes.length) break
    read(bytes[at]! & 0x0f, bytes.subarray(at + head, at + head + length))
    at += head + length
  }
  return at
}
