import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { type ChainTestWorld, openChainTestWorldIn, waitUntil } from '#tests/support/chain-test-world.ts'
import { createPlayerWith, readNewestWithdrawal, withdraw } from '#tests/support/chain-test-players.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { expectPaidOnce } from '#tests/support/payouts.ts'
import { COMPILE_CACHE } from '#tests/support/run-server.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const WAIT_MS = 90_000

let folder: string
let database: FreshDatabase
let world: ChainTestWorld
const seed = Uint8Array.from(randomBytes(64))
const running: ChildProcess[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cotton-farm-paused-'))
  mkdirSync(join(folder, 'chain'))
  database = await freshDatabase()
  world = await openChainTestWorldIn({ dir: join(folder, 'chain'), database, seed })
})

afterAll(async () => {
  for (const child of running) {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
    child.kill('SIGKILL')
    await ended
  }
  await world.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** A signer of this world with a data folder of its own, as on another machine. */
function startSigner(name: string): { child: ChildProcess; output(): string } {
  const dataDir = join(folder, name)
  mkdirSync(dataDir)
  const child = spawn(process.execPath, ['server/main.ts', 'signer'], {
    cwd: ROOT,
    env: {
      ...COMPILE_CACHE,
      PATH: process.env.PATH,
      DATABASE_URL: database.urlFor('signer'),
      SOLANA_RPC_URL: world.rpcUrl,
      COTTON_MINT: world.chain.facts.mint,
      CLUSTER: 'local',
      LOCAL_CHAIN: 'on',
      PUBLIC_URL: 'http://farm.test',
      DATA_DIR: dataDir,
      SIGNER_SEED: Buffer.from(seed).toString('hex'),
      LOG_LEVEL: 'info',
    },
  })
  running.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  return { child, output: () => output }
}

const readTerm = sql({
  name: 'test-read-term',
  row: rowOf<{ term: bigint; holder: string }>(),
  text: `select term, holder from role_terms where role = 'signer'`,
})
const termIs = (term: bigint, name: string) => async () => {
  const [row] = await world.owner.rows(readTerm)
  return row?.term === term && row.holder.endsWith(`/${name}`)
}
const says = (of: { output(): string }, text: string) => async () => of.output().includes(text)

test('a signer that is paused loses its role to another, and does no harm when it continues', async () => {
  const first = startSigner('first')
  await waitUntil(says(first, 'new payouts may be signed'), WAIT_MS)
  expect(await termIs(1n, 'first')()).toBe(true)
  const second = startSigner('second')
  await waitUntil(says(second, 'another signer works; this one stands by'), WAIT_MS)
  const player = await createPlayerWith(world, { deposited: 500 })

  // Paused while it pays: whatever it has built, it may send when it continues.
  await withdraw(world, player, cotton(7))
  await waitUntil(async () => (await readNewestWithdrawal(world, player)).state !== 'requested', WAIT_MS)
  first.child.kill('SIGSTOP')
  await withdraw(world, player, cotton(9))
  await waitUntil(termIs(2n, 'second'), WAIT_MS)
  const stopped = once(first.child, 'exit')
  await waitUntil(async () => (await readNewestWithdrawal(world, player)).state === 'finalized', WAIT_MS)

  first.child.kill('SIGCONT')
  expect(await stopped).toEqual([1, null])
  expect(first.output()).toContain(
    'Another signer has taken over, or the database has lost commits or was out of reach. This one ends.',
  )
  expect(await termIs(2n, 'second')()).toBe(true)
  await expectPaidOnce(world, player)
  expect(await world.audit()).toEqual([])
}, 240_000)
