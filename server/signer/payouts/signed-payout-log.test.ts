import { randomBytes, randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getBase58Decoder } from '@solana/kit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Signature } from '#server/chain/port.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { openSignedPayoutLog } from './signed-payout-log.ts'

let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cotton-farm-signed-log-'))
})

afterEach(() => rmSync(dir, { recursive: true }))

const payout = () => ({
  id: randomUUID(),
  signature: getBase58Decoder().decode(randomBytes(64)) as Signature,
})

test('a line that was cut off, by a power failure or a full disk, does not swallow the next one', () => {
  const path = join(dir, 'signed', 'payouts.log')
  const log = openSignedPayoutLog(path)
  expect(log.newest()).toEqual([])
  const [first, lost, second, third] = [payout(), payout(), payout(), payout()]
  log.append(first)
  appendFileSync(path, `${lost.id} ${lost.signature.slice(0, 40)}`)
  log.append(second)
  log.append(third)
  expect(log.newest()).toEqual([first, second, third])
})

test('of a log of any size only the newest payouts are read', () => {
  const path = join(dir, 'signed', 'payouts.log')
  const log = openSignedPayoutLog(path)
  const [first, second] = [payout(), payout()]
  log.append(payout())
  // A file with a hole, too long for one string.
  truncateSync(path, 2 ** 30)
  log.append(first)
  log.append(second)
  expect(log.newest()).toEqual([first, second])
})

test('a log that cannot be written ends the start, not the first payout', () => {
  // A folder in its place fails like a file of another user, also for root.
  const path = join(dir, 'signed', 'payouts.log')
  mkdirSync(path, { recursive: true })
  expect(() => openSignedPayoutLog(path)).toThrow(
    new StartupError(
      `${path} cannot be written (EISDIR): it must be a file of the user that runs the signer.`,
    ),
  )
})
