// A program: `serve-cached-disk.ts FLUSHED CURRENT FOLDER` mounts FOLDER with the one file `disk`, a disk with a volatile write cache.
// CURRENT contains all that was written, and FLUSHED what was flushed as well. Writing a number to FOLDER/cut ends the power: of
// what was not flushed, each sector has reached FLUSHED or not, at random from that number. So a disk writes its cache in any
// order, and in any part. The kernel asks through FUSE (linux/fuse.h, version 7.31), whose packages for Node need a compiler.
import { spawnSync } from 'node:child_process'
import { fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { createRandom } from '#tests/simulation/random.ts'

const SECTOR = 512
const MAX_WRITE = 2 ** 20
const PAGE = 4096
const TIMES_BYTES = 3 * 8 + 3 * 4
const ROOT = 1n
const DISK = 2n
const CUT = 3n
const NODES = new Map([
  ['disk', DISK],
  ['cut', CUT],
])

const OPCODES = {
  1: 'lookup',
  2: 'forget',
  3: 'getattr',
  4: 'setattr',
  14: 'open',
  15: 'read',
  16: 'write',
  17: 'statfs',
  18: 'release',
  20: 'fsync',
  25: 'flush',
  26: 'init',
  36: 'interrupt',
  38: 'destroy',
  42: 'forget',
} as const
type Opcode = (typeof OPCODES)[keyof typeof OPCODES]

const ENOENT = -2
const ENOSYS = -38
const HEADER_IN = 40
const HEADER_OUT = 16
const BIG_WRITES = 1 << 5
const MAX_PAGES = 1 << 22

const [flushedPath = '', currentPath = '', folder = ''] = process.argv.slice(2)
const flushed = openSync(flushedPath, 'r+')
const current = openSync(currentPath, 'r+')
const { size } = fstatSync(flushed)
let cache: { at: number; bytes: Buffer }[] = []

function flush(): void {
  for (const { at, bytes } of cache) writeSync(flushed, bytes, 0, bytes.length, at)
  cache = []
}

function cut(seed: number): never {
  const random = createRandom(seed)
  for (const { at, bytes } of cache) {
    for (let from = 0; from < bytes.length; from += SECTOR)
      if (random.chance(0.5))
        writeSync(flushed, bytes, from, Math.min(SECTOR, bytes.length - from), at + from)
  }
  process.exit(0)
}

/** The fields that a reply consists of, each with its size in bytes. */
function pack(...fields: readonly (readonly [4 | 8, number | bigint])[]): Buffer {
  const packed = Buffer.alloc(fields.reduce((sum, [width]) => sum + width, 0))
  let at = 0
  for (const [width, value] of fields) {
    if (width === 8) packed.writeBigUInt64LE(BigInt(value), at)
    else packed.writeUInt32LE(Number(value), at)
    at += width
  }
  return packed
}

/** `struct fuse_attr`. Without times, and with the rights of everybody. */
function attributesOf(node: bigint): Buffer {
  const mode = node === ROOT ? 0o040755 : 0o100666
  const bytes = node === DISK ? size : 0
  return Buffer.concat([
    pack([8, node], [8, bytes], [8, Math.ceil(bytes / SECTOR)]),
    Buffer.alloc(TIMES_BYTES),
    // One link, of root, with blocks of a page.
    pack([4, mode], [4, 1], [4, 0], [4, 0], [4, 0], [4, PAGE], [4, 0]),
  ])
}

/** How long the kernel may remember an attribute or a name, in seconds. */
const REMEMBER = 3600

type Reply = { error: number } | Buffer | null
const DONE: Reply = Buffer.alloc(0)

function answer(opcode: Opcode | undefined, node: bigint, body: Buffer): Reply {
  switch (opcode) {
    case 'init':
      return Buffer.concat([
        pack([4, 7], [4, 31], [4, 0], [4, BIG_WRITES | MAX_PAGES]),
        // Sixteen requests at once, and as many pages as fit into one write.
        pack([4, (12 << 16) | 16], [4, MAX_WRITE], [4, 1], [4, MAX_WRITE / PAGE]),
        Buffer.alloc(32),
      ])
    case 'lookup': {
      const found = NODES.get(body.toString('utf8', 0, body.indexOf(0)))
      if (found === undefined) return { error: ENOENT }
      return Buffer.concat([
        pack([8, found], [8, 0], [8, REMEMBER], [8, REMEMBER], [4, 0], [4, 0]),
        attributesOf(found),
      ])
    }
    case 'getattr':
    case 'setattr':
      return Buffer.concat([pack([8, REMEMBER], [4, 0], [4, 0]), attributesOf(node)])
    case 'open':
      return pack([8, node], [4, 0], [4, 0])
    case 'read': {
      const read = Buffer.alloc(body.readUInt32LE(16))
      return read.subarray(0, readSync(current, read, 0, read.length, Number(body.readBigUInt64LE(8))))
    }
    case 'write': {
      const [at, length] = [Number(body.readBigUInt64LE(8)), body.readUInt32LE(16)]
      const bytes = Buffer.from(body.subarray(40, 40 + length))
      if (node === CUT) return cut(Number(bytes.toString('utf8')))
      writeSync(current, bytes, 0, length, at)
      cache.push({ at, bytes })
      return pack([4, length], [4, 0])
    }
    case 'fsync':
      flush()
      return DONE
    case 'statfs':
      return Buffer.alloc(80)
    case 'release':
    case 'flush':
    case 'destroy':
      return DONE
    case 'forget':
    case 'interrupt':
      return null
    case undefined:
      return { error: ENOSYS }
  }
}

const fuse = openSync('/dev/fuse', 'r+')
const options = 'fd=3,rootmode=40000,user_id=0,group_id=0,allow_other'
const mounted = spawnSync('mount', ['-i', '-t', 'fuse', '-o', options, 'cached-disk', folder], {
  stdio: ['ignore', 'inherit', 'inherit', fuse],
})
if (mounted.status !== 0) throw new Error('mount -t fuse failed')

const request = Buffer.alloc(MAX_WRITE + 2 ** 16)
for (;;) {
  const length = readRequest()
  if (length === null) break
  const unique = request.readBigUInt64LE(8)
  const opcode = OPCODES[request.readUInt32LE(4) as keyof typeof OPCODES] as Opcode | undefined
  const reply = answer(opcode, request.readBigUInt64LE(16), request.subarray(HEADER_IN, length))
  if (reply === null) continue
  const body = Buffer.isBuffer(reply) ? reply : Buffer.alloc(0)
  const header = pack([4, HEADER_OUT + body.length], [4, 0], [8, unique])
  if (!Buffer.isBuffer(reply)) header.writeInt32LE(reply.error, 4)
  writeSync(fuse, Buffer.concat([header, body]))
}

/** Null once nobody has it mounted. */
function readRequest(): number | null {
  for (;;) {
    try {
      return readSync(fuse, request)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENODEV') return null
      // A request that was given up, or a signal.
      if (code !== 'ENOENT' && code !== 'EINTR' && code !== 'EAGAIN') throw error
    }
  }
}
