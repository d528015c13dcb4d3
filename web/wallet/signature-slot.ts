/** Solana's compact-u16: seven bits a byte, low bits first. Returns the value and the offset after it. */
function readCompactU16(bytes: Uint8Array, at: number): [value: number, next: number] {
  let value = 0
  for (let shift = 0, next = at; ; shift += 7) {
    const byte = bytes[next++]
    if (byte === undefined) throw new Error('The transaction is truncated.')
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) return [value, next]
  }
}

/** The offset of `publicKey`'s signature in a serialized transaction, and the message that it signs. */
export function findSignatureSlot(
  transaction: Uint8Array,
  publicKey: ArrayLike<number>,
): { offset: number; message: Uint8Array } {
  const [signatures, first] = readCompactU16(transaction, 0)
  const message = transaction.slice(first + signatures * 64)
  const versioned = (message[0] ?? 0) >= 0x80
  const [, keys] = readCompactU16(message, versioned ? 4 : 3)
  for (let index = 0; index < signatures; index++) {
    const key = message.subarray(keys + index * 32, keys + index * 32 + 32)
    if (key.every((byte, at) => byte === publicKey[at])) return { offset: first + index * 64, message }
  }
  throw new Error('This wallet is not a signer of this transaction.')
}
