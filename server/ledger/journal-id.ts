import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const BYTES = 16

// One system call for many ids costs little more than one for a single id.
const pool = Buffer.alloc(BYTES * 512)
let used = pool.length

const last = { msecs: 0, seq: 0 }

/** A clock that is set back further was wrong before. Time services correct a clock by less. */
const FURTHEST_BACK_MS = 5 * 60_000

/**
 * Creates a journal id: a UUID version 7 (RFC 9562). The ids of one process strictly ascend, also while its clock goes back
 * a little. If it is set back further, they follow it, because days and months are ranges of ids.
 */
export function createJournalId(at: Date): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const random = pool.subarray(used, (used += BYTES))
  const aheadMs = at.getTime() - last.msecs
  if (aheadMs > 0 || aheadMs < -FURTHEST_BACK_MS) {
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
