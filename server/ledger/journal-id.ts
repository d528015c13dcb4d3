import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const BYTES = 16

// Asking the system for so many at once costs little more than asking for one id's.
const pool = Buffer.alloc(BYTES * 512)
let used = pool.length

const last = { msecs: 0, seq: 0 }

/** The id of a journal of that moment: a UUID of version 7, each of a process above the one before it (RFC 9562). */
export function createJournalId(at: Date): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const random = pool.subarray(used, (used += BYTES))
  if (at.getTime() > last.msecs) {
    last.msecs = at.getTime()
    // A start in the lower half: the ids of one millisecond count up from here.
    last.seq = random.readUInt32BE(6) >>> 1
  } else {
    last.seq += 1
  }
  return v7({ random, ...last })
}
