import { getMintToInstruction, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Address, Chain } from '#server/chain/port.ts'
import { runCommand } from '#server/ops/ops.ts'
import { openStage, type Stage, TOKEN_2022 } from '#tests/corpora/stage.ts'
import { ask, creditOf, type MoneyWorld, openMoneyWorld } from '#tests/support/money-world.ts'
import { creditDeposits } from './credit-deposits.ts'
import { readUncredited } from './read-uncredited.ts'
import { firstTurn, foreignRound, type Turn } from './watch-foreign-accounts.ts'

let world: MoneyWorld
let stage: Stage

beforeAll(async () => {
  world = await openMoneyWorld()
  const thief = await world.wallet()
  await world.final(await world.gift(thief.address, cotton(100)))
  stage = await openStage(world, await world.newSigner(), thief)
})

afterEach(async () => {
  expect(await world.findings()).toEqual([])
})

afterAll(() => world.close())

const look = () => ({ db: world.watcher, chain: world.chain, clock: world.clock, log: world.log })

/** Everybody's foreign accounts, until the turn is round. */
async function lookAtAll(turn: Turn = firstTurn(), chain: Chain = world.chain): Promise<void> {
  do await foreignRound({ ...look(), chain }, turn)
  while (turn.after !== -1)
}

const amountsOf = async (mint: Address): Promise<string[]> =>
  (await readUncredited(world.api, stage.player.wallet))
    .filter((item) => item.mint === mint && item.asset === 'other_token')
    .map((item) => item.amount)
    .toSorted((a, b) => Number(a) - Number(b))

async function operatorSees(): Promise<string> {
  const said: string[] = []
  await runCommand(['receipts'], { db: world.owner, clock: world.clock, say: (line) => void said.push(line) })
  return said.join('\n')
}

/** More of a token into an account that is there: names the account and nobody. */
const more = (of: { mint: Address; ata: Address; amount: bigint; program?: Address }) =>
  getMintToInstruction(
    { mint: of.mint, token: of.ata, mintAuthority: stage.payer, amount: of.amount },
    { programAddress: of.program ?? TOKEN_PROGRAM_ADDRESS },
  )

test.each([
  ['the token program', TOKEN_PROGRAM_ADDRESS],
  ['Token-2022', TOKEN_2022],
])(
  'more of a wrong token into an account that is there is seen by player and operator: %s',
  async (_name, program) => {
    const fake = await stage.counterfeit({ owner: stage.player.owner, amount: 777n, program })
    await stage.settle(await stage.run(fake.made))
    await creditDeposits(look(), stage.player)
    expect(await amountsOf(fake.mint)).toEqual(['777'])

    for (const amount of [55n, 56n]) await stage.settle(await stage.run([more({ ...fake, amount, program })]))
    // Its owner's history does not show these.
    await creditDeposits(look(), stage.player)
    expect(await amountsOf(fake.mint)).toEqual(['777'])
    await lookAtAll()
    expect(await amountsOf(fake.mint)).toEqual(['55', '56', '777'])
    const seen = await operatorSees()
    for (const amount of [55, 56, 777]) expect(seen).toContain(`${amount} units of ${fake.mint}`)

    // However often, and whoever looks in between: each stands there once.
    await Promise.all([lookAtAll(), lookAtAll(), creditDeposits(look(), stage.player)])
    expect(await amountsOf(fake.mint)).toEqual(['55', '56', '777'])
    expect((await creditOf(world.owner, stage.player.wallet)).deposited).toBe(0n)
  },
)

test('many transfers of dust are read back to the last one that is known', async () => {
  const fake = await stage.counterfeit({ owner: stage.player.owner, amount: 1n })
  await stage.settle(await stage.run(fake.made))
  for (let round = 0; round < 12; round++)
    await Promise.all(Array.from({ length: 10 }, () => stage.run([more({ ...fake, amount: 2n })])))
  await stage.settle(await stage.run([more({ ...fake, amount: 3n })]))
  await lookAtAll()
  const kept = `select sum(amount)::text as sum, count(*)::int as count from receipts where mint = $1`
  const [sum] = await ask(world.owner, kept, [fake.mint])
  expect(sum).toEqual({ sum: '244', count: 122 })
})

test('$COTTON in another account of the owner is listed, and credits nobody', async () => {
  const { account, made } = await stage.loose(stage.player.owner)
  await stage.settle(await stage.run(made))
  await stage.settle(await stage.run([stage.move({ to: account, amount: 9n })]))
  await lookAtAll()
  expect(await amountsOf(stage.mint)).toEqual(['9'])
  expect((await creditOf(world.owner, stage.player.wallet)).deposited).toBe(0n)
})

test('an account that is as it was is not read again, and one that no node shows is read the next time', async () => {
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
  const turn = firstTurn()
  await lookAtAll(turn, counting)
  expect(await amountsOf(fake.mint)).toEqual(['5'])
  expect(reads).toBeGreaterThan(0)
  reads = 0
  await lookAtAll(turn, counting)
  expect(reads).toBe(0)

  await stage.settle(await stage.run([more({ ...fake, amount: 6n })]))
  const silent: Chain = { ...world.chain, receipt: async () => null }
  await lookAtAll(turn, silent)
  expect(await amountsOf(fake.mint)).toEqual(['5'])
  await lookAtAll(turn)
  expect(await amountsOf(fake.mint)).toEqual(['5', '6'])
})
