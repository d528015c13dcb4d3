type Encoder = {
  /** The type's number in every Postgres (`pg_type.dat`). */
  oid: number
  /** Whether it can write that value; one that it cannot is left to Postgres to judge. */
  takes(value: unknown): boolean
  /** The most bytes of it. */
  room(value: never): number
  /** Writes it and gives its length (PostgreSQL, "Message Formats": the binary form of a type is that of its `send`). */
  write(into: Buffer, at: number, value: never): number
}

const isText = (value: unknown) => typeof value === 'string'
const isWhole = (bits: number) => (value: unknown) =>
  typeof value === 'number' ? Number.isInteger(value) && Math.abs(value) < 2 ** (bits - 1) : false
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const JSONB_VERSION = 1
// Microseconds from 1970 to 2000, where the time of Postgres begins.
const EPOCH_US = 946_684_800_000_000n

const ENCODERS: Readonly<Record<string, Encoder>> = {
  text: {
    oid: 25,
    takes: isText,
    room: (value: string) => value.length * 3,
    write: (into, at, value: string) => into.write(value, at),
  },
  jsonb: {
    oid: 3802,
    takes: isText,
    room: (value: string) => value.length * 3 + 1,
    write: (into, at, value: string) => into.write(value, into.writeUInt8(JSONB_VERSION, at)) + 1,
  },
  bytea: {
    oid: 17,
    takes: (value) => Buffer.isBuffer(value),
    room: (value: Buffer) => value.length,
    write: (into, at, value: Buffer) => value.copy(into, at),
  },
  uuid: {
    oid: 2950,
    takes: (value) => typeof value === 'string' && UUID.test(value),
    room: () => 16,
    write: (into, at, value: string) => into.write(value.replaceAll('-', ''), at, 'hex'),
  },
  bigint: {
    oid: 20,
    takes: (value) => typeof value === 'bigint' && BigInt.asIntN(64, value) === value,
    room: () => 8,
    write: (into, at, value: bigint) => into.writeBigInt64BE(value, at) - at,
  },
  integer: {
    oid: 23,
    takes: isWhole(32),
    room: () => 4,
    write: (into, at, value: number) => into.writeInt32BE(value, at) - at,
  },
  smallint: {
    oid: 21,
    takes: isWhole(16),
    room: () => 2,
    write: (into, at, value: number) => into.writeInt16BE(value, at) - at,
  },
  timestamptz: {
    oid: 1184,
    takes: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
    room: () => 8,
    write: (into, at, value: Date) =>
      into.writeBigInt64BE(BigInt(value.getTime()) * 1000n - EPOCH_US, at) - at,
  },
}

const HEAD = 20
const LENGTH = 4

// Filled and copied from within one call.
let scratch = Buffer.allocUnsafe(64 * 1024)

/**
 * An array as Postgres keeps it, for a parameter that the statement declares as `type[]`: neither side has to quote,
 * escape or read text. Null where the type or a value is one that only Postgres can judge; it is then sent as text.
 */
export function encodeArray(type: string, values: readonly unknown[]): Buffer | null {
  const encoder = Object.hasOwn(ENCODERS, type) ? ENCODERS[type] : undefined
  if (!encoder || values.length === 0) return null
  let end = HEAD
  for (const value of values) {
    if (value === null) {
      makeRoom(end + LENGTH, end)
      end = scratch.writeInt32BE(-1, end)
      continue
    }
    if (!encoder.takes(value)) return null
    makeRoom(end + LENGTH + encoder.room(value as never), end)
    const length = encoder.write(scratch, end + LENGTH, value as never)
    scratch.writeInt32BE(length, end)
    end += LENGTH + length
  }
  // One dimension, nothing said of nulls (Postgres sees them), what it holds, how many, counted from 1.
  for (const [at, word] of [1, 0, encoder.oid, values.length, 1].entries()) {
    scratch.writeInt32BE(word, at * LENGTH)
  }
  return Buffer.from(scratch.subarray(0, end))
}

function makeRoom(needed: number, used: number): void {
  if (needed <= scratch.length) return
  const larger = Buffer.allocUnsafe(Math.max(needed, scratch.length * 2))
  scratch.copy(larger, 0, 0, used)
  scratch = larger
}
