import {
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import type { KeyPairSigner } from '@solana/kit'
import { beforeAll, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import { auditChain } from '#server/ops/audit-chain.ts'
import type { Signer } from '#server/signer/signer.ts'
import { createPlayerWith } from '#tests/support/chain-test-players.ts'
import { runQuery, type TestWallet, waitUntil } from '#tests/support/chain-test-world.ts'
import { makeOps } from '#tests/support/operators.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import type { ReserveSnapshot } from './reserve-snapshot.ts'
import { takeSnapshot } from './take-snapshot.ts'
import { readTransparency } from './read-transparency.ts'
import { watchSolvency } from './watch-solvency.ts'

const POOL = cotton(100_000_000)

const world = setUpChainTestWorld()
let signer: Signer
let safe: TestWallet

beforeAll(async () => {
  signer = await world.newSigner()
  safe = await world.wallet()
  await waitUntil(async () => (await world.tokenBalanceOf(signer.treasury.address)) === POOL)
  await move({ from: signer.treasury, to: safe.address, amount: cotton(30_000_000) })
})

async function move(of: { from: KeyPairSigner; to: string; amount: bigint }): Promise<void> {
  const { mint, decimals } = world.chain.facts
  const owner = of.to as KeyPairSigner['address']
  const ata = await world.chain.tokenAccountOf(owner)
  const source = await world.chain.tokenAccountOf(of.from.address)
  const { wire, signature } = await signWithBlockhash(
    of.from,
    await world.chain.latestBlockhash('confirmed'),
    [
      getCreateAssociatedTokenIdempotentInstruction({ payer: of.from, ata, owner, mint }),
      getTransferCheckedInstruction({
        source,
        destination: ata,
        mint,
        authority: of.from,
        amount: of.amount,
        decimals,
      }),
    ],
  )
  await world.chain.send(wire)
  await world.waitUntilFinal(signature)
}

const takeNow = (cold: readonly string[]) =>
  takeSnapshot(
    { db: world.watcher, chain: world.chain },
    { treasury: signer.treasury.address, cold, notBefore: 0n, now: world.clock.now(), pageSize: 3 },
  )

async function watched(coldWallets: readonly string[]): Promise<ReserveSnapshot> {
  const { watcher: db, chain, clock, log } = world
  let snapshot: ReserveSnapshot | null = null
  await waitUntil(
    async () => (snapshot = await watchSolvency({ db, chain, clock, log, coldWallets })) !== null,
  )
  return snapshot!
}

const { operators, run } = makeOps(world)

async function ops(args: string[], coldWallets: readonly string[]): Promise<string> {
  process.exitCode = undefined
  const output = await run(args, { coldWallets, connect: async () => world.chain }, { coldWallets })
  process.exitCode = undefined
  return output
}

test('tokens in cold storage count in the reserve, and are published separately with their wallets', async () => {
  expect((await takeNow([])).surplus).toBe(-cotton(30_000_000))
  expect(await watched([safe.address])).toMatchObject({
    treasury: cotton(70_000_000),
    cold: cotton(30_000_000),
    surplus: 0n,
    confirmed: false,
  })
  const { reserve } = await readTransparency(world.api, world.clock.now())
  expect(reserve).toMatchObject({
    standing: 'covered',
    treasury: 70_000_000,
    cold: 30_000_000,
    coldWallets: [safe.address],
    tokens: 100_000_000,
    owed: 100_000_000,
  })
})

test('no token counts twice, whatever wallets COLD_WALLETS names', async () => {
  const player = await createPlayerWith(world, { deposited: 10 })
  const [deposit] = await runQuery<{ owner: string }>(
    world.owner,
    'select owner from deposit_addresses where wallet = $1',
    [player.address],
  )
  const named = [safe.address, safe.address, signer.treasury.address, deposit!.owner, player.address]
  expect(await takeNow(named)).toMatchObject({
    treasury: cotton(70_000_000),
    depositAccounts: cotton(10),
    cold: cotton(30_000_000),
    surplus: 0n,
  })
})

test('transfers between treasury and cold storage change no snapshot by a single unit', async () => {
  await Promise.all([20, 30, 40, 50].map((deposited) => createPlayerWith(world, { deposited })))
  const running = { done: false }
  const work = (async () => {
    for (let round = 0; round < 4; round++) {
      await move({ from: signer.treasury, to: safe.address, amount: cotton(1_000) })
      await move({ from: safe.signer, to: signer.treasury.address, amount: cotton(1_000) })
    }
  })().finally(() => {
    running.done = true
  })
  const snapshots: Awaited<ReturnType<typeof takeNow>>[] = []
  while (!running.done) snapshots.push(await takeNow([safe.address]))
  await work
  expect(new Set(snapshots.map((snapshot) => snapshot.cold)).size).toBeGreaterThan(1)
  expect(new Set(snapshots.map((snapshot) => snapshot.surplus))).toEqual(new Set([0n]))
})

test('the operator’s commands count cold storage as the watcher does', async () => {
  expect(await ops(['audit', '--chain', 'required'], [safe.address])).toContain('The chain agrees with it.')
  const deps = { db: world.owner, chain: world.chain, now: world.clock.now(), wait: async () => undefined }
  const { findings } = await auditChain(deps, { treasury: signer.treasury.address, cold: [] })
  expect(findings.map(({ law }) => law)).toContain(
    'treasury and cold storage hold what was swept and funded, minus what was paid',
  )
  expect(await ops(['top-up'], [safe.address])).toMatch(
    new RegExp(`cold storage +30,000,000 \\$COTTON in ${safe.address}`),
  )
  await world.waitUntilFinal(await world.gift(signer.treasury.address, cotton(5)))
  const fund = ['fund', '5', ...operators.key('ana'), '--reason', 'Rewards.']
  await expect(ops(fund, [])).rejects.toThrow(/has 0 \$COTTON that are not owed/)
  expect(await ops(fund, [safe.address])).toMatch(/^Funded/)
})
