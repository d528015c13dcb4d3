import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { type Chain, ChainUnavailable } from '#server/chain/port.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { createPlayerWith, runUntilSettled, withdraw } from '#tests/support/chain-test-players.ts'
import { runQuery, type TestWallet } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { drill, examineBackup } from './drill.ts'
import { takeBackup } from './take-backup.ts'

const world = setUpChainTestWorld()
let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cotton-farm-drilled-'))
  // Another run of the tests on this machine may drill at the same time.
  vi.stubEnv('TMPDIR', dir)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(dir, { recursive: true })
})

const onProgress = () => {}
const drillFolders = () => readdirSync(dir).filter((name) => name.startsWith('cotton-farm-drill-'))

async function depositAddressOf({ address }: TestWallet): Promise<string> {
  const find = 'select owner from deposit_addresses where wallet = $1'
  return (await runQuery<{ owner: string }>(world.owner, find, [address]))[0]!.owner
}

test(
  'a drill prints the deposits and payouts since the backup, and changes neither the game nor the chain (N-11)',
  { timeout: 180_000 },
  async () => {
    const signer = await world.newSigner()
    const before = await createPlayerWith(world, { deposited: 70 })
    const file = join(dir, 'a.tar.zst')
    await takeBackup({ url: world.ownerUrl, dataDir: dir, file, recipient: '', release: '0.1.0', onProgress })
    const owner = await depositAddressOf(before)
    await world.waitUntilFinal(await world.gift(before.address, cotton(30)))
    await world.waitUntilFinal(await world.transfer(before, owner, cotton(30)))
    await createPlayerWith(world, { deposited: 8 })
    await withdraw(world, before, cotton(12))
    await runUntilSettled(world, signer, [before])

    const countRows = () =>
      runQuery(
        world.owner,
        'select (select count(*) from journals) as journals, (select count(*) from receipts) as receipts',
      )
    const history = () => world.chain.history(signer.treasuryTokens, { limit: 1000, commitment: 'confirmed' })
    const [rowsBefore, historyBefore, foldersBefore] = [await countRows(), await history(), drillFolders()]
    const send = () => Promise.reject(new Error('a drill sends nothing'))
    const readOnly = { ...world.chain, send }
    const lines: string[] = []
    const { problems, uncompared } = await drill({
      path: file,
      identities: [],
      clock: world.clock,
      connect: async () => readOnly,
      onProgress,
      say: (line) => void lines.push(line),
    })
    expect([...problems, ...uncompared]).toEqual([])
    expect(lines).toContain('The ledger has no errors.')
    expect(lines).toContain('Deposits since then: 1 of 30 $COTTON. The game credits them by itself.')
    expect(lines).toContain(
      'Deposits since then to addresses that were assigned after the backup: 1 of 8 $COTTON. The game lists them under "npm run ops -- receipts" and credits nobody.',
    )
    expect(lines).toContain(
      'Payouts since then: 1 of 12 $COTTON. The game finds them before it pays anybody.',
    )
    expect(lines.filter((line) => line.endsWith(`$COTTON to ${before.address}`))).toHaveLength(2)
    expect(await countRows()).toEqual(rowsBefore)
    expect(await history()).toEqual(historyBefore)

    expect(drillFolders()).toEqual(foldersBefore)
  },
)

test(
  'a drill counts all that it writes against the free space, and leaves nothing if there is too little',
  { tags: 'variant', timeout: 180_000 },
  async () => {
    const file = join(dir, 'a.tar.zst')
    writeFileSync(join(dir, 'terms.md'), '# Terms')
    const options = { url: world.ownerUrl, dataDir: dir, file, recipient: '', release: '0.1.0', onProgress }
    const { manifest } = await takeBackup(options)
    const written = manifest.parts.filter(({ name }) => /^(files|tables)\//.test(name))
    const total = written.reduce((sum, { size }) => sum + size, 0)
    const foldersBefore = drillFolders()
    let counted = 0
    const drilling = drill({
      path: file,
      identities: [],
      clock: world.clock,
      connect: async () => world.chain,
      onProgress,
      say: () => {},
      checkFreeSpace: async (bytes) => {
        counted += bytes
        if (counted === total) throw new StartupError('The disk has too little space.')
      },
    })
    await expect(drilling).rejects.toThrow('The disk has too little space.')
    expect(drillFolders()).toEqual(foldersBefore)
  },
)

test(
  'a drill that is stopped while it examines a backup leaves nothing',
  { tags: 'variant', timeout: 180_000 },
  async () => {
    const file = join(dir, 'a.tar.zst')
    await takeBackup({ url: world.ownerUrl, dataDir: dir, file, recipient: '', release: '0.1.0', onProgress })
    const foldersBefore = drillFolders()
    const stopping = new AbortController()
    const drilling = drill({
      path: file,
      identities: [],
      clock: world.clock,
      connect: async () => {
        stopping.abort()
        return world.chain
      },
      onProgress,
      say: () => {},
      signal: stopping.signal,
    })
    await expect(drilling).rejects.toThrow('Stopped. The drill is not recorded, and its folder is removed.')
    expect(drillFolders()).toEqual(foldersBefore)
  },
)

test('a drill says what it could not compare with the chain, and fails', async () => {
  const { treasuryTokens } = await world.newSigner()
  const player = await createPlayerWith(world, { deposited: 8 })
  const owner = await depositAddressOf(player)
  const lines: string[] = []
  const examine = (connect: () => Promise<Chain>) => {
    const manifest = { moment: world.clock.now().toISOString(), release: '0.1.0', tables: [] }
    const say = (line: string) => void lines.push(line)
    return examineBackup(world.owner, manifest, { clock: world.clock, say, connect })
  }
  const failingFor = (failing: string, error: Error): Chain => ({
    ...world.chain,
    history: (address, query) =>
      address === failing ? Promise.reject(error) : world.chain.history(address, query),
  })
  const not = 'the backup was not compared with the chain: '
  expect(await examine(() => Promise.reject(new StartupError('No RPC URL.')))).toEqual({
    problems: [],
    uncompared: [`${not}No RPC URL.`],
  })
  expect(lines).toContain('The backup was NOT compared with the chain. No RPC URL.')

  const away = failingFor(treasuryTokens, new ChainUnavailable('The node is away.'))
  expect(await examine(async () => away)).toEqual({
    problems: [],
    uncompared: [`${not}The node is away.`],
  })
  expect(lines).toContain('The backup was NOT compared with the chain. The node is away.')

  const { exitCode } = process
  const nonsense = failingFor(owner, new Error('The answer is no list.'))
  const unread = `the deposits of ${owner} could not be read: Error: The answer is no list.`
  expect(await examine(async () => nonsense)).toEqual({ problems: [], uncompared: [unread] })
  expect(lines).toContain(`NOT COMPARED  ${unread}`)
  expect(process.exitCode).toBe(exitCode)
})

test('a drill names a free address that no node can read, and compares the rest', async () => {
  const [free] = await runQuery<{ owner: string; tokenAccount: string }>(
    world.owner,
    `select owner, token_account as "tokenAccount" from deposit_addresses
     where wallet is null and retired_at is null order by index limit 1`,
  )
  const error = new ChainUnavailable('No node shows this history.')
  const history: Chain['history'] = (address, query) =>
    address === free!.tokenAccount ? Promise.reject(error) : world.chain.history(address, query)
  const lines: string[] = []
  const manifest = { moment: world.clock.now().toISOString(), release: '0.1.0', tables: [] }
  const { uncompared } = await examineBackup(world.owner, manifest, {
    clock: world.clock,
    say: (line) => void lines.push(line),
    connect: async () => ({ ...world.chain, history }),
  })
  const unread = `the deposits of ${free!.owner} could not be read: ${String(error)}`
  expect(uncompared).toEqual([unread])
  expect(lines).toContain(`NOT COMPARED  ${unread}`)
  expect(lines.filter((line) => line.startsWith('Payouts since then: '))).toHaveLength(1)
})

test('a drill reads receipts that exceed a bigint', async () => {
  await runQuery(
    world.owner,
    `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, why, seen_at, journal_id)
     values ('huge', 'nobody', null, 'cotton', $1, 1, 'unclaimed', 'of_nobody', now(), null),
       ('booked', 'nobody', 'wallet', 'cotton', $1, 1, 'credited', null, now(), gen_random_uuid())`,
    [String(2n ** 64n - 1n)],
  )
  const lines: string[] = []
  const manifest = { moment: world.clock.now().toISOString(), release: '0.1.0', tables: [] }
  await examineBackup(world.owner, manifest, {
    clock: world.clock,
    say: (line) => void lines.push(line),
    connect: async () => world.chain,
  })
  expect(lines).toContain('Payouts since then: 0 of 0 $COTTON. The game finds them before it pays anybody.')
  await runQuery(world.owner, `delete from receipts where signature in ('huge', 'booked')`)
})
