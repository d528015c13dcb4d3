import fc from 'fast-check'
import { expect } from 'vitest'
import { cotton, fromWire } from '#game/cotton.ts'
import { sql } from '#server/platform/db/db.ts'
import { claim, claimAll } from './claim.ts'
import { readOwnedWorkers } from './read-workers.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { type TestPlayer } from '#tests/support/test-player.ts'
import { keyFor, test, type TestWorld } from '#tests/support/test-world.ts'

const readWaiting = sql({
  name: 'test-read-waiting',
  text: `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
})

const addKids = sql({
  name: 'test-add-kids',
  params: { wallet: 'text', count: 'integer', now: 'timestamptz' },
  text: ({ wallet, count, now }) =>
    `insert into workers (wallet, worker_id, worker_type, rate_per_hour, since, purchased_at)
     select ${wallet}, 'kid-' || lpad(n::text, 8, '0'), 'kid', 5000, ${now}, ${now} from generate_series(1, ${count}) n`,
})

const claimOne = async (
  world: TestWorld,
  player: TestPlayer,
  workerId: string,
  key: string | null = null,
) => {
  const keyed = key === null ? null : keyFor('/api/workers/claim', key, { workerId })
  const [answer] = await world.db.transaction((tx) =>
    claim(tx, [{ wallet: player.wallet, workerId, key: keyed }], world.clock),
  )
  return answer!
}

const readOwned = async ({ db, clock }: TestWorld, wallet: string) =>
  (await readOwnedWorkers(db, { wallet, now: clock.now() })).workers

test('a claim pays whole $COTTON and leaves the fraction to the worker (A-13)', async ({ world }) => {
  const player = await world.player({ deposited: 50_000 })
  const workerId = await world.hire(player, 'kid')
  world.clock.advance(10_500)
  const [before] = await readOwned(world, player.wallet)
  expect(before).toMatchObject({
    totalGeneratedTokens: 14.583333,
    claimedGeneratedTokens: 0,
    unclaimedTokens: 14,
  })
  world.clock.advance(500)
  const { reply } = await claimOne(world, player, workerId)
  expect(reply).toEqual({ success: true, claimedAmount: 15, newBalance: 15 })
  const [after] = await readOwned(world, player.wallet)
  expect(after).toMatchObject({
    totalGeneratedTokens: 15.277777,
    claimedGeneratedTokens: 15,
    unclaimedTokens: 0,
  })
})

test('fifty claims at once pay once', async ({ world }) => {
  const player = await world.player({ deposited: 50_000 })
  const workerId = await world.hire(player, 'kid')
  world.clock.advance(3_600_000)
  const answers = await Promise.all(Array.from({ length: 50 }, () => claimOne(world, player, workerId)))
  expect(answers.filter((answer) => answer.reply)).toHaveLength(1)
  expect(answers.filter((answer) => answer.refusal?.code === 'nothing_to_claim')).toHaveLength(49)
  expect(await world.balance(player)).toBe(cotton(5_000))
})

test('a claim that waits for another claim of its player sees what that one paid', async ({ world }) => {
  const player = await world.player({ deposited: 50_000 })
  const workerId = await world.hire(player, 'kid')
  world.clock.advance(3_600_000)
  const request = { wallet: player.wallet, workerId, key: null }
  const all = { wallet: player.wallet, workerType: null, key: null }
  const waiting = await world.db.transaction(async (tx) => {
    await claim(tx, [request], world.clock)
    const others = [
      claimOne(world, player, workerId),
      world.db.transaction((other) => claimAll(other, [all], world.clock)).then(([answer]) => answer!),
    ]
    await waitFor('both to wait', async () => (await world.db.rows(readWaiting)).length === 2)
    return others
  })
  const answers = await Promise.all(waiting)
  expect(answers.map((answer) => answer.refusal?.code)).toEqual(['nothing_to_claim', 'nothing_to_claim'])
  expect(await world.balance(player)).toBe(cotton(5_000))
})

test('claims and claim-alls of one worker in one batch pay once', async ({ world }) => {
  const player = await world.player({ deposited: 50_000 })
  const workerId = await world.hire(player, 'kid')
  world.clock.advance(3_600_000)
  const request = { wallet: player.wallet, workerId, key: null }
  const answers = await world.db.transaction((tx) => claim(tx, [request, { ...request }], world.clock))
  expect(answers.map((answer) => answer.refusal?.code ?? 'paid')).toEqual(['paid', 'nothing_to_claim'])
  expect(await world.balance(player)).toBe(cotton(5_000))
})

test('a repeated key gets the stored response and pays once; with another body it is refused', async ({
  world,
}) => {
  const player = await world.player({ deposited: 100_000 })
  const [first, second] = [await world.hire(player, 'kid'), await world.hire(player, 'kid')]
  world.clock.advance(3_600_000)
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => claimOne(world, player, first, 'one-harvest')),
  )
  for (const answer of answers) expect(answer.reply?.claimedAmount).toBe(5_000)
  expect(await world.balance(player)).toBe(cotton(5_000))
  const reused = await claimOne(world, player, second, 'one-harvest')
  expect(reused.refusal?.code).toBe('key_reused')
})

test('a refusal is not stored: the same key may succeed later', async ({ world }) => {
  const player = await world.player({ deposited: 50_000 })
  const workerId = await world.hire(player, 'kid')
  expect((await claimOne(world, player, workerId, 'too-early')).refusal?.code).toBe('nothing_to_claim')
  world.clock.advance(3_600_000)
  expect((await claimOne(world, player, workerId, 'too-early')).reply?.claimedAmount).toBe(5_000)
})

test('nobody can claim another player’s worker', async ({ world }) => {
  const [owner, thief] = [await world.player({ deposited: 50_000 }), await world.player()]
  const workerId = await world.hire(owner, 'kid')
  world.clock.advance(3_600_000)
  expect((await claimOne(world, thief, workerId)).refusal?.code).toBe('worker_not_found')
  expect(await world.balance(thief)).toBe(0n)
})

test('claiming all pays every worker once, in one journal (A-27, X-09)', async ({ world }) => {
  const player = await world.player({ deposited: 250_000 })
  for (const type of ['kid', 'kid', 'grandma'] as const) await world.hire(player, type)
  world.clock.advance(3_600_000)
  const all = (workerType: 'kid' | null) =>
    world.db.transaction((tx) =>
      claimAll(tx, [{ wallet: player.wallet, workerType, key: null }], world.clock),
    )
  const [kids] = await all('kid')
  expect(kids!.reply).toMatchObject({ claimedAmount: 10_000, claimedWorkers: 2 })
  const [rest] = await all(null)
  expect(rest!.reply).toMatchObject({ claimedAmount: 13_000, claimedWorkers: 1 })
  expect((await all(null))[0]!.refusal?.code).toBe('nothing_to_claim')
})

test('a player with more workers than a call may have arguments claims all of them', async ({ world }) => {
  const player = await world.player()
  const count = 130_000
  await world.db.rows(addKids, { wallet: player.wallet, count, now: world.clock.now() })
  world.clock.advance(3_600_000)
  const [answer] = await world.db.transaction((tx) =>
    claimAll(tx, [{ wallet: player.wallet, workerType: null, key: null }], world.clock),
  )
  expect(answer!.reply).toMatchObject({ claimedAmount: 650_000_000, claimedWorkers: count })
  expect(await world.balance(player)).toBe(cotton(650_000_000))
})

test('players who claim different types in one batch are paid for those only', async ({ world }) => {
  const players = [await world.player({ deposited: 150_000 }), await world.player({ deposited: 150_000 })]
  for (const player of players) for (const type of ['kid', 'grandma'] as const) await world.hire(player, type)
  world.clock.advance(3_600_000)
  const claimTypes = async (types: readonly ('kid' | 'grandma' | null)[]) => {
    const requests = types.map((workerType, at) => ({ wallet: players[at]!.wallet, workerType, key: null }))
    const answers = await world.db.transaction((tx) => claimAll(tx, requests, world.clock))
    return answers.map((answer) => answer.reply?.claimedAmount)
  }
  expect(await claimTypes(['kid', null])).toEqual([5_000, 18_000])
  expect(await claimTypes(['grandma', 'kid'])).toEqual([13_000, undefined])
})

test('a clock that jumps back delays a payment and never repeats it', async ({ world }) => {
  const player = await world.player({ deposited: 50_000 })
  const workerId = await world.hire(player, 'kid')
  world.clock.advance(3_600_000)
  await claimOne(world, player, workerId)
  world.clock.advance(-3_000_000)
  expect((await claimOne(world, player, workerId)).refusal?.code).toBe('nothing_to_claim')
  world.clock.advance(3_000_000)
})

test('a worker that was hired while the clock was ahead is not shown at work before that time', async ({
  world,
}) => {
  const player = await world.player({ deposited: 50_000 })
  await world.hire(player, 'kid')
  const hiredAt = world.clock.now().toISOString()
  world.clock.advance(-3_600_000)
  expect(await readOwned(world, player.wallet)).toMatchObject([
    { lastTokenUpdate: hiredAt, unclaimedTokens: 0 },
  ])
  world.clock.advance(3_600_000)
})

test('the same claims in any grouping give the same answers and balances', async ({ world }) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 0, max: 5_000 })), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (steps, size) => {
        const [single, batched] = [
          await world.player({ deposited: 150_000 }),
          await world.player({ deposited: 150_000 }),
        ]
        const workers = await Promise.all(
          [single, batched].map(async (player) => [
            await world.hire(player, 'kid'),
            await world.hire(player, 'kid'),
            await world.hire(player, 'kid'),
          ]),
        )
        world.clock.advance(steps.reduce((sum, [, wait]) => sum + wait, 1_000))
        const ones: number[] = []
        for (const [at] of steps)
          ones.push((await claimOne(world, single, workers[0]![at]!)).reply?.claimedAmount ?? 0)
        const many: number[] = []
        for (let from = 0; from < steps.length; from += size) {
          const batch = steps.slice(from, from + size)
          const answers = await world.db.transaction((tx) =>
            claim(
              tx,
              batch.map(([at]) => ({ wallet: batched.wallet, workerId: workers[1]![at]!, key: null })),
              world.clock,
            ),
          )
          many.push(...answers.map((answer) => answer.reply?.claimedAmount ?? 0))
        }
        expect(many).toEqual(ones)
        expect(await world.balance(batched)).toBe(await world.balance(single))
        expect(await world.balance(batched)).toBe(fromWire(ones.reduce((sum, each) => sum + each, 0)) ?? 0n)
      },
    ),
    { numRuns: 20 },
  )
})
