import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { hire } from './hire.ts'
import { readWorkerSupply } from './read-workers.ts'
import { type TestPlayer } from '#tests/support/test-player.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'

const hireKid = async (world: TestWorld, player: TestPlayer) => {
  const [answer] = await world.db.transaction((tx) =>
    hire(tx, [{ wallet: player.wallet, workerType: 'kid', key: null }], world.clock),
  )
  return answer!
}

const setSupply = (world: TestWorld, type: string, left: number) =>
  world.db.rows(
    sql({
      name: 'test-set-supply',
      params: { type: 'text', left: 'integer' },
      text: ({ type, left }) =>
        `update worker_types set max_supply = sold + ${left} where worker_type = ${type}`,
    }),
    { type, left },
  )

test('fifty buyers of the last worker make one sale', async ({ world }) => {
  await setSupply(world, 'kid', 1)
  const buyers = await Promise.all(Array.from({ length: 50 }, () => world.player({ deposited: 50_000 })))
  const answers = await Promise.all(buyers.map((buyer) => hireKid(world, buyer)))
  expect(answers.filter((answer) => answer.reply)).toHaveLength(1)
  const refusals = answers.flatMap((answer) => answer.refusal ?? [])
  expect(refusals).toEqual(Array.from({ length: 49 }, () => ({ code: 'sold_out', facts: { name: 'Kid' } })))
  const balances = await Promise.all(buyers.map((buyer) => world.balance(buyer)))
  expect(balances.reduce((sum, each) => sum + each, 0n)).toBe(cotton(49 * 50_000))
  const { kid } = await readWorkerSupply(world.db)
  const [{ owned }] = (await world.db.rows(
    sql({
      name: 'test-count-kids',
      row: rowOf<{ owned: bigint }>(),
      text: `select count(*) as owned from workers where worker_type = 'kid'`,
    }),
  )) as [{ owned: bigint }]
  expect([kid.maxSupply, BigInt(kid.sold)]).toEqual([kid.sold, owned])
  await setSupply(world, 'kid', 1_000)
})

test('one player who spends the same credit fifty times at once hires once (X-08)', async ({ world }) => {
  const player = await world.player({ deposited: 50_000 })
  const answers = await Promise.all(Array.from({ length: 50 }, () => hireKid(world, player)))
  expect(answers.filter((answer) => answer.reply)).toHaveLength(1)
  expect(answers.find((answer) => answer.refusal)?.refusal).toEqual({
    code: 'not_enough_credit',
    facts: { required: '50,000', available: '0' },
  })
  expect(await world.balance(player)).toBe(0n)
})

test('in one batch each hire sees the credit and supply that the previous ones left', async ({ world }) => {
  const player = await world.player({ deposited: 120_000 })
  const request = { wallet: player.wallet, workerType: 'kid' as const, key: null }
  const answers = await world.db.transaction((tx) =>
    hire(tx, [request, { ...request }, { ...request }], world.clock),
  )
  expect(answers.map((answer) => answer.reply?.newBalance ?? answer.refusal!.code)).toEqual([
    70_000,
    20_000,
    'not_enough_credit',
  ])
  const ids = answers.flatMap((answer) => (answer.reply ? [answer.reply.worker.workerId] : []))
  expect(new Set(ids).size).toBe(2)
})

test('earned credit is spent before deposited credit (X-05)', async ({ world }) => {
  const player = await world.player({ deposited: 50_000, earned: 20_000 })
  await hireKid(world, player)
  expect(await world.credit(player)).toEqual({ deposited: cotton(20_000), earned: 0n })
})
