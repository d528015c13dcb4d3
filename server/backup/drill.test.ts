import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { ChainUnavailable } from '#server/chain/port.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { createPlayerWith, runUntilSettled, withdraw } from '#tests/support/chain-test-players.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { drill } from './drill.ts'
import { takeBackup } from './take-backup.ts'

const world = setUpChainTestWorld()
let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cotton-farm-drilled-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const onProgress = () => {}
const drillFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('cotton-farm-drill-'))

test(
  'a drill prints the deposits and payouts since the backup, and changes neither the game nor the chain',
  { timeout: 180_000 },
  async () => {
    const signer = await world.newSigner()
    const before = await createPlayerWith(world, { deposited: 70 })
    const file = join(dir, 'a.tar.zst')
    await takeBackup({ url: world.ownerUrl, dataDir: dir, file, recipient: '', release: '0.1.0', onProgress })
    const address = await runQuery<{ owner: string }>(
      world.owner,
      'select owner from deposit_addresses where wallet = $1',
      [before.address],
    )
    await world.waitUntilFinal(await world.gift(before.address, cotton(30)))
    await world.waitUntilFinal(await world.transfer(before, address[0]!.owner, cotton(30)))
    await createPlayerWith(world, { deposited: 8 })
    await withdraw(world, before, cotton(12))
    await runUntilSettled(world, signer, [before])

    const countRows = () =>
      runQuery(world.owner, 'select (select count(*) from journals), (select count(*) from receipts)')
    const history = () => world.chain.history(signer.treasuryTokens, { limit: 1000, commitment: 'confirmed' })
    const [rowsBefore, historyBefore, foldersBefore] = [await countRows(), await history(), drillFolders()]
    const send = () => Promise.reject(new Error('a drill sends nothing'))
    const readOnly = { ...world.chain, send }
    const lines: string[] = []
    const options = {
      path: file,
      identities: [],
      clock: world.clock,
      onProgress,
      say: (line: string) => lines.push(line),
    }
    const result = await drill({ ...options, connect: async () => readOnly })
    expect(result.problems).toEqual([])
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

    lines.length = 0
    const unreachable = () => Promise.reject(new StartupError('The chain is away.'))
    await drill({ ...options, connect: unreachable })
    expect(lines).toContain('The backup was NOT compared with the chain. The chain is away.')

    // The node fails while the history of the treasury is read.
    const lost: typeof world.chain = {
      ...readOnly,
      history: (address, query) =>
        address === signer.treasuryTokens
          ? Promise.reject(new ChainUnavailable('The node is away.'))
          : world.chain.history(address, query),
    }
    expect((await drill({ ...options, connect: async () => lost })).problems).toEqual([])
    expect(lines).toContain('The backup was NOT compared with the chain. The node is away.')

    // A node answers nonsense about one address.
    const owner = address[0]!.owner
    const nonsense: typeof world.chain = {
      ...readOnly,
      history: (of, query) =>
        of === owner ? Promise.reject(new Error('The answer is no list.')) : world.chain.history(of, query),
    }
    const exitCode = process.exitCode
    const unread = `the deposits of ${owner} could not be read: Error: The answer is no list.`
    expect((await drill({ ...options, connect: async () => nonsense })).problems).toEqual([unread])
    expect(lines).toContain(`NOT COMPARED  ${unread}`)
    expect(process.exitCode).toBe(exitCode)
    expect(drillFolders()).toEqual(foldersBefore)
  },
)
