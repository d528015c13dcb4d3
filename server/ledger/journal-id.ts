import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const BYTES = 16

// One system call for many ids costs little more than one for a single id.
const pool = Buffer.alloc(BYTES * 512)
let used = pool.length

const last = { msecs: 0, seq: 0 }

/** Creates a journal id: a UUID version 7 (RFC 9562). The ids of one process strictly ascend. */
export function createJournalId(at: Date): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const random = pool.subarray(used, (used += BYTES))
  if (at.getTime() > last.msecs) {
    last.msecs = at.getTime()
    // Starts in the lower half of the range, because the ids of one millisecond count up from here.
    last.seq = random.readUInt32BE(6) >>> 1
  } else {
    last.seq += 1
  }
  return v7({ random, ...last })
}

/** The smallest id of a journal at this time or later. */
export function firstJournalId(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
