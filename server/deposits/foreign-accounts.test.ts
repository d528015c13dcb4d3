import { randomBytes } from 'node:crypto'
import { getAddressDecoder } from '@solana/kit'
import { getMintToInstruction, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { beforeAll, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Address, Chain } from '#server/chain/port.ts'
import { openCaseContext, type CaseContext, TOKEN_2022 } from '#tests/corpora/case-context.ts'
import { runQuery, readCreditOf } from '#tests/support/chain-test-world.ts'
import { ops } from '#tests/support/run-ops.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { creditDeposits } from './credit-deposits.ts'
import { readUncredited } from './read-uncredited.ts'
import { newForeignProgress, scanForeignAccounts, type ForeignProgress } from './watch-foreign-accounts.ts'

const world = setUpChainTestWorld()
let stage: CaseContext

beforeAll(async () => {
  const thief = await world.wallet()
  await world.waitUntilFinal(await world.gift(thief.address, cotton(100)))
  stage = await openCaseContext(world, await world.newSigner(), thief)
})

const scanDeps = () => ({ db: world.watcher, chain: world.chain, clock: world.clock, log: world.log })

/** Scans all foreign accounts, until the rotation has come round. */
async function scanAll(
  progress: ForeignProgress = newForeignProgress(),
  chain: Chain = world.chain,
): Promise<void> {
  do await scanForeignAccounts({ ...scanDeps(), chain }, progress)
  while (progress.after !== -1 || progress.afterAccount !== '')
}

const amountsOf = async (mint: Address): Promise<string[]> =>
  (await readUncredited(world.api, stage.player.wallet)).items
    .filter((item) => item.mint === mint && item.asset === 'other_token')
    .map((item) => item.amount)
    .toSorted((a, b) => Number(a) - Number(b))

const operatorSees = () => ops({ db: world.owner, clock: world.clock }, 'receipts')

/** Mints more of a token into an existing account. The instruction names the account, but not its owner. */
const more = (of: { mint: Address; ata: Address; amount: bigint; program?: Address }) =>
  getMintToInstruction(
    { mint: of.mint, token: of.ata, mintAuthority: stage.payer, amount: of.amount },
    { programAddress: of.program ?? TOKEN_PROGRAM_ADDRESS },
  )

test.each([
  ['the token program', TOKEN_PROGRAM_ADDRESS],
  ['Token-2022', TOKEN_2022],
])(
  'more of a wrong token in an existing account is shown to player and operator: %s',
  async (_name, program) => {
    const fake = await stage.counterfeit({ owner: stage.player.owner, amount: 777n, program })
    await stage.settle(await stage.run(fake.made))
    await creditDeposits(scanDeps(), stage.player)
    expect(await amountsOf(fake.mint)).toEqual(['777'])

    for (const amount of [55n, 56n]) await stage.settle(await stage.run([more({ ...fake, amount, program })]))
    // Its owner's history does not show these.
    await creditDeposits(scanDeps(), stage.player)
    expect(await amountsOf(fake.mint)).toEqual(['777'])
    await scanAll()
    expect(await amountsOf(fake.mint)).toEqual(['55', '56', '777'])
    const seen = await operatorSees()
    for (const amount of [55, 56, 777]) expect(seen).toContain(`${amount} units of ${fake.mint}`)

    // However many scans run concurrently, each receipt is recorded once.
    await Promise.all([scanAll(), scanAll(), creditDeposits(scanDeps(), stage.player)])
    expect(await amountsOf(fake.mint)).toEqual(['55', '56', '777'])
    expect((await readCreditOf(world.owner, stage.player.wallet)).deposited).toBe(0n)
  },
)

test('many transfers of dust are read back to the last recorded one', async () => {
  const fake = await stage.counterfeit({ owner: stage.player.owner, amount: 1n })
  await stage.settle(await stage.run(fake.made))
  for (let round = 0; round < 12; round++)
    await Promise.all(Array.from({ length: 10 }, () => stage.run([more({ ...fake, amount: 2n })])))
  await stage.settle(await stage.run([more({ ...fake, amount: 3n })]))
  await scanAll()
  const sumReceipts = `select sum(amount)::text as sum, count(*)::int as count from receipts where mint = $1`
  const [sum] = await runQuery(world.owner, sumReceipts, [fake.mint])
  expect(sum).toEqual({ sum: '244', count: 122 })
})

test('$COTTON in another account of the owner is listed, and not credited', async () => {
  const { account, made } = await stage.loose(stage.player.owner)
  await stage.settle(await stage.run(made))
  await stage.settle(await stage.run([stage.move({ to: account, amount: 9n })]))
  await scanAll()
  expect(await amountsOf(stage.mint)).toEqual(['9'])
  expect((await readCreditOf(world.owner, stage.player.wallet)).deposited).toBe(0n)
})

test('more tokens in a known account are recorded in the next round, whichever owners it scans', async () => {
  const fake = await stage.counterfeit({ owner: stage.player.owner, amount: 7n })
  await stage.settle(await stage.run(fake.made))
  await creditDeposits(scanDeps(), stage.player)
  await stage.settle(await stage.run([more({ ...fake, amount: 8n })]))
  const withoutOwners: Chain = { ...world.chain, ownedAccounts: async () => [] }
  await scanForeignAccounts({ ...scanDeps(), chain: withoutOwners }, newForeignProgress())
  expect(await amountsOf(fake.mint)).toEqual(['7', '8'])
})

test('an unchanged account is not read again, and one whose transactions no node returns is', async () => {
  const fake = await stage.counterfeit({ owner: stage.player.owner, amount: 5n })
  await stage.settle(await stage.run(fake.made))
  let reads = 0
  const counting: Chain = {
    ...world.chain,
    history: (address, query) => {
      reads += 1
      return world.chain.history(address, query)
    },
  }
  const progress = newForeignProgress()
  await scanAll(progress, counting)
  expect(await amountsOf(fake.mint)).toEqual(['5'])
  expect(reads).toBeGreaterThan(0)
  reads = 0
  await scanAll(progress, counting)
  expect(reads).toBe(0)

  await stage.settle(await stage.run([more({ ...fake, amount: 6n })]))
  const silent: Chain = { ...world.chain, receipt: async () => null }
  await scanAll(progress, silent)
  expect(await amountsOf(fake.mint)).toEqual(['5'])
  await scanAll(progress)
  expect(await amountsOf(fake.mint)).toEqual(['5', '6'])
})

test('tokens that the history of a node that is behind does not show are recorded later', async () => {
  const fake = await stage.counterfeit({ owner: stage.player.owner, amount: 5n })
  await stage.settle(await stage.run(fake.made))
  await creditDeposits(scanDeps(), stage.player)
  await stage.settle(await stage.run([more({ ...fake, amount: 6n })]))
  const progress = newForeignProgress()
  const behind: Chain = { ...world.chain, history: async () => [] }
  await scanForeignAccounts({ ...scanDeps(), chain: behind }, progress)
  expect(await amountsOf(fake.mint)).toEqual(['5'])
  for (let round = 0; round < 3; round++) await scanForeignAccounts(scanDeps(), progress)
  expect(await amountsOf(fake.mint)).toEqual(['5', '6'])
})

const newAddress = () => getAddressDecoder().decode(randomBytes(32))

/** Players who each have a receipt of one unit of another token, in an account that does not exist on the chain. */
async function crowd(size: number): Promise<{ account: Address; owner: Address }[]> {
  const people = Array.from({ length: size }, () => ({ account: newAddress(), owner: newAddress() }))
  const owners = people.map((each) => each.owner)
  await runQuery(
    world.owner,
    `insert into deposit_addresses (index, owner, token_account, wallet, assigned_at)
     select 1000000000 + n, owner, 'derived of ' || owner, owner, now()
     from unnest($1::text[]) with ordinality as each (owner, n)`,
    [owners],
  )
  await runQuery(
    world.owner,
    `insert into receipts (signature, token_account, wallet, asset, mint, amount, slot, state, why, seen_at)
     select 'to ' || account, account, owner, 'other_token', 'a mint', 1, 1, 'unclaimed', 'other_token', now()
     from unnest($1::text[], $2::text[]) as each (account, owner)`,
    [people.map((each) => each.account), owners],
  )
  return people
}

async function disperse(): Promise<void> {
  await runQuery(world.owner, `delete from receipts where mint = 'a mint'`)
  await runQuery(world.owner, `delete from deposit_addresses where index > 1000000000`)
}

test('ten thousand known accounts are scanned in eleven rounds, with few calls per round', async () => {
  await crowd(10_000)
  const calls = { accounts: 0, owners: 0 }
  const seen = new Set<Address>()
  const counting: Chain = {
    ...world.chain,
    tokenAccounts: (accounts) => {
      calls.accounts += 1
      expect(accounts.length).toBeLessThanOrEqual(100)
      for (const each of accounts) seen.add(each)
      return world.chain.tokenAccounts(accounts)
    },
    ownedAccounts: (owner) => {
      calls.owners += 1
      return world.chain.ownedAccounts(owner)
    },
  }
  const progress = newForeignProgress()
  let rounds = 0
  do {
    await scanForeignAccounts({ ...scanDeps(), chain: counting }, progress)
    rounds += 1
  } while (progress.afterAccount !== '')
  expect(rounds).toBe(11)
  expect(calls.accounts).toBeLessThanOrEqual(rounds * 10)
  expect(calls.owners).toBeLessThanOrEqual(rounds * 10)
  expect(seen.size).toBeGreaterThanOrEqual(10_000)
  await disperse()
})

test('dust in many accounts does not lengthen a round, and none of them is skipped', async () => {
  const people = await crowd(45)
  const ownerOf = new Map(people.map((each) => [each.account, each.owner]))
  const read: Address[] = []
  const dusted: Chain = {
    ...world.chain,
    ownedAccounts: async () => [],
    tokenAccounts: async (accounts) =>
      accounts.map((each) => {
        const owner = ownerOf.get(each)
        return owner ? { owner, mint: stage.mint, amount: 2n, frozen: false } : null
      }),
    history: async (account) => {
      read.push(account)
      return []
    },
  }
  const progress = newForeignProgress()
  const counts: number[] = []
  do {
    const before = read.length
    await scanForeignAccounts({ ...scanDeps(), chain: dusted }, progress)
    counts.push(read.length - before)
  } while (progress.afterAccount !== '')
  expect(counts).toEqual([20, 20, 5])
  expect(new Set(read)).toEqual(new Set(ownerOf.keys()))
  await disperse()
})

test('an account that has changed its owner no longer counts as this player’s', async () => {
  const [person] = await crowd(1)
  const transferred: Chain = {
    ...world.chain,
    ownedAccounts: async () => [],
    tokenAccounts: async (accounts) =>
      accounts.map(() => ({ owner: newAddress(), mint: stage.mint, amount: 9n, frozen: false })),
    history: async () => {
      throw new Error(`the history of ${person!.account} was read`)
    },
  }
  const logged: unknown[] = []
  const log = { ...world.log, error: (facts: unknown) => void logged.push(facts) } as typeof world.log
  await scanForeignAccounts({ ...scanDeps(), chain: transferred, log }, newForeignProgress())
  expect(logged).toEqual([])
  await disperse()
})
