import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getBase58Decoder } from '@solana/kit'
import { afterAll, expect, test } from 'vitest'
import type { Signature } from '#server/chain/port.ts'
import { readOrMakeSecret, readSecret } from '#server/platform/secrets.ts'
import { syncFolder } from '#server/platform/sync-folder.ts'
import { readMasterSeed } from '#server/signer/keys/master-seed.ts'
import { openSignedPayoutLog } from '#server/signer/payouts/signed-payout-log.ts'
import { LoopDisk } from './loop-disk.ts'

const disk = openDisk()

function openDisk(): LoopDisk | null {
  try {
    return new LoopDisk({ size: '64M' })
  } catch (error) {
    process.stdout.write(`Skipped: power cuts need root and a disk to mount: ${(error as Error).message}\n`)
    return null
  }
}

afterAll(() => disk?.remove())

/** A folder on the disk, as it is after its power was cut when `write` had returned. */
function cutAfter(write: (folder: string) => void): string {
  const folder = join(disk!.folder, randomUUID())
  mkdirSync(folder)
  syncFolder(disk!.folder)
  write(folder)
  disk!.cut()
  disk!.remount()
  return folder
}

test.skipIf(!disk)(
  'a power failure undoes a rename whose folder is not synced, or no test here could fail',
  () => {
    const folder = cutAfter((folder) => {
      writeFileSync(join(folder, 'draft'), 'text', { flush: true })
      renameSync(join(folder, 'draft'), join(folder, 'named'))
    })
    expect(existsSync(join(folder, 'named'))).toBe(false)
    expect(readFileSync(join(folder, 'draft'), 'utf8')).toBe('text')
  },
)

test.skipIf(!disk)('a name is on disk once its folder is synced', () => {
  const folder = cutAfter((folder) => {
    writeFileSync(join(folder, 'draft'), 'text', { flush: true })
    renameSync(join(folder, 'draft'), join(folder, 'named'))
    syncFolder(folder)
  })
  expect(readFileSync(join(folder, 'named'), 'utf8')).toBe('text')
})

test.skipIf(!disk)('a secret that was used is still there after a power failure', () => {
  let secret = ''
  const folder = cutAfter((folder) => (secret = readOrMakeSecret(folder, 'secret')))
  expect(readSecret(folder, 'secret')).toBe(secret)
})

test.skipIf(!disk)('the seed of a new game is still there after a power failure', () => {
  const read = (dataDir: string) =>
    readMasterSeed({ dataDir, localChain: true, env: {}, boundTreasury: null })
  let seed: Uint8Array = new Uint8Array()
  const folder = cutAfter((folder) => (seed = read(folder)))
  expect(read(folder)).toEqual(seed)
})

test.skipIf(!disk)('the first signed payout of a game is still in the log after a power failure', () => {
  const payout = { id: randomUUID(), signature: getBase58Decoder().decode(randomBytes(64)) as Signature }
  const folder = cutAfter((folder) =>
    openSignedPayoutLog(join(folder, 'signed', 'payouts.log')).append(payout),
  )
  expect(openSignedPayoutLog(join(folder, 'signed', 'payouts.log')).newest()).toEqual([payout])
})
