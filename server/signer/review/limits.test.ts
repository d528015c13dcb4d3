import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Chain } from '#server/chain/port.ts'
import { repeat } from '#server/platform/run-rounds.ts'
import {
  newestOf,
  playerWith,
  request,
  runUntilSettled,
  signedRequest,
  withdraw,
} from '#tests/support/money-players.ts'
import { ask, SITE, type TestWallet, until } from '#tests/support/money-world.ts'
import { moneyWorld } from '#tests/support/one-money-world.ts'
import { heedApprovals, keepApproval } from './approvals.ts'
import { challengeWithdrawal } from '#server/withdrawals/challenge-withdrawal.ts'
import { judgeRequests } from './judge-requests.ts'
import { readWithdrawable } from '#server/withdrawals/read-withdrawals.ts'
import { openToday } from './reward-bounds.ts'
import { dayOf } from '#server/withdrawals/reward-day.ts'
import { signApproved } from '../payouts/sign-approved.ts'
import { signingRounds } from '../sign-payouts.ts'
import type { Signer } from '../signer.ts'
import { pauseWithdrawals } from '#server/withdrawals/withdrawal-switch.ts'

const world = moneyWorld()

const DAY_MS = 24 * 60 * 60_000

beforeEach(() => {
  // A new day with a whole budget for each test.
  world.clock.skip(DAY_MS)
})

/** A signer that has just come up on a chain where tokens are worth something. */
function carefulSigner(): Promise<Signer> {
  const chain: Chain = { ...world.chain, facts: { ...world.chain.facts, cluster: 'mainnet' } }
  return world.newSigner(chain)
}

async function reasonsOf(wallet: TestWallet): Promise<string[]> {
  return [...(await newestOf(world, wallet)).reasons]
}

/** A wallet whose first withdrawal was paid long ago. */
async function knownPlayer(holds: { deposited?: number; earned?: number }): Promise<TestWallet> {
  const wallet = await playerWith(world, holds)
  await withdraw(world, wallet, cotton(1))
  await runUntilSettled(world, await world.newSigner(), [wallet])
  world.clock.skip(4 * DAY_MS)
  return wallet
}

test('first withdrawals and new wallets wait, and everything that they wait for is told', async () => {
  const wallet = await playerWith(world, { deposited: 100 })
  await withdraw(world, wallet, cotton(5))
  await judgeRequests(await carefulSigner())
  expect(await newestOf(world, wallet)).toMatchObject({
    state: 'review',
    reasons: ['first_withdrawal', 'new_wallet'],
    reason: expect.stringContaining('first withdrawal'),
  })
})

test('a known wallet is paid by itself until its pace is too high, whenever the signer comes up anew', async () => {
  const wallet = await knownPlayer({ deposited: 100 })
  for (let count = 1; count <= 6; count++) {
    await withdraw(world, wallet, cotton(1))
    await judgeRequests(await carefulSigner())
    expect(await reasonsOf(wallet)).toEqual(count <= 5 ? [] : ['wallet_pace'])
  }
  world.clock.skip(DAY_MS + 1)
  await withdraw(world, wallet, cotton(1))
  await judgeRequests(await carefulSigner())
  expect(await reasonsOf(wallet)).toEqual([])
})

test('what a request says of its own time and day has no say in the limits', async () => {
  const wallet = await knownPlayer({ deposited: 100 })
  for (let count = 1; count <= 6; count++) {
    await withdraw(world, wallet, cotton(1))
    await ask(
      world.owner,
      `update withdrawals set requested_at = '2026-01-01', day = '2026-01-01' where wallet = $1`,
      [wallet.address],
    )
    await judgeRequests(await carefulSigner())
  }
  const [{ waiting }] = (await ask<{ waiting: bigint }>(
    world.owner,
    `select count(*) as waiting from withdrawals where wallet = $1 and 'wallet_pace' = any(reasons)`,
    [wallet.address],
  )) as [{ waiting: bigint }]
  expect(waiting).toBe(1n)
})

test('where tokens are worth something, a deposit comes before any earned payout', async () => {
  await world.newSigner()
  const wallet = await playerWith(world, { earned: 50 })
  const deps = { db: world.api, clock: world.clock, site: SITE }
  const early = await signedRequest(world, wallet, cotton(5))
  const inBooks = await ask<{ value: object }>(world.owner, `select value from settings where name = 'chain'`)
  await ask(
    world.owner,
    `update settings set value = jsonb_set(value, '{cluster}', '"mainnet"') where name = 'chain'`,
  )
  try {
    expect(await readWithdrawable(deps, wallet.address)).toMatchObject({
      needsDeposit: true,
      withdrawable: 0,
      earnedToday: 0,
      earned: 50,
    })
    await expect(
      challengeWithdrawal(deps, { wallet: wallet.address, amount: cotton(5) }),
    ).rejects.toMatchObject({
      refusal: { code: 'deposit_first' },
    })
    expect((await request(world, [early]))[0]!.refusal?.code).toBe('deposit_first')
    const depositor = await playerWith(world, { deposited: 1, earned: 50 })
    expect(await readWithdrawable(deps, depositor.address)).toMatchObject({
      needsDeposit: false,
      withdrawable: 51,
    })
  } finally {
    await ask(world.owner, `update settings set value = $1 where name = 'chain'`, [
      JSON.stringify(inBooks[0]!.value),
    ])
  }
  // One that came in all the same is looked at.
  await withdraw(world, wallet, cotton(5))
  await judgeRequests(await carefulSigner())
  expect(await reasonsOf(wallet)).toContain('no_deposit')
})

test('the api cannot raise the day’s budget: the signer counts it from the pool', async () => {
  const signer = await world.newSigner()
  await openToday(signer)
  const wallet = await playerWith(world, { earned: 90_000 })
  await expect(ask(world.api, 'update reward_days set budget = budget * 9')).rejects.toThrow(
    'permission denied',
  )
  // The api's own login opens tomorrow with a budget of its liking.
  world.clock.skip(DAY_MS)
  await ask(world.api, 'insert into reward_days (day, budget) values ($1::date, $2)', [
    dayOf(world.clock.now()),
    cotton(50_000_000),
  ])
  // The pool gives a wallet some 20,000 a day.
  await withdraw(world, wallet, cotton(15_000))
  await judgeRequests(signer)
  expect(await newestOf(world, wallet)).toMatchObject({ state: 'requested', reasons: [] })
  await withdraw(world, wallet, cotton(15_000))
  await judgeRequests(signer)
  expect(await newestOf(world, wallet)).toMatchObject({ state: 'review', reasons: ['over_budget'] })
  // No approval lifts that.
  const { id } = await newestOf(world, wallet)
  await world.owner.transaction((tx) => keepApproval(tx, { id, who: 'ana', now: world.clock.now() }))
  await heedApprovals(signer)
  expect(await newestOf(world, wallet)).toMatchObject({ state: 'review' })
})

test('a budget that was exceeded after the approval parks the payout instead of signing it', async () => {
  const signer = await world.newSigner()
  const wallet = await playerWith(world, { earned: 9_000 })
  const { id } = await withdraw(world, wallet, cotton(5))
  await judgeRequests(signer)
  await ask(world.owner, 'update reward_bounds set budget = 0 where day = $1::date', [
    dayOf(world.clock.now()),
  ])
  // The first in the queue, so that a lane is free for it.
  await ask(world.owner, `update withdrawals set requested_at = '2020-01-01' where id = $1`, [id])
  expect((await ask(world.owner, 'select from lanes where withdrawal_id is null')).length).toBeGreaterThan(0)
  await signApproved(signer)
  expect(await newestOf(world, wallet)).toMatchObject({ state: 'review', reasons: ['over_budget'] })
  expect(await ask(world.owner, 'select from payouts where withdrawal_id = $1', [id])).toEqual([])
  expect(await ask(world.owner, 'select from lanes where withdrawal_id = $1', [id])).toEqual([])
})

/** Entries of one move, as somebody who has stolen the api's login would write them. */
async function forge(lines: readonly [wallet: string, account: string, amount: number][]): Promise<unknown> {
  const journal = randomUUID()
  return world.api.transaction(async (tx) => {
    await ask(
      tx,
      `insert into journals (id, wallet, kind, at, detail) values ($1, $2, 'claim', now(), '{}')`,
      [journal, lines[0]![0]],
    )
    await ask(
      tx,
      `insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
       select wallet, $1, line::smallint, account::ledger_account, amount,
         case when account in ('deposited', 'earned') then 1000000 end,
         case when account in ('deposited', 'earned') then 1 end
       from unnest($2::text[], $3::text[], $4::bigint[]) with ordinality as l (wallet, account, amount, line)`,
      [journal, lines.map((each) => each[0]), lines.map((each) => each[1]), lines.map((each) => each[2])],
    )
    throw new Error('nothing of it was refused')
  })
}

test.each([
  [
    'a harvest that becomes a deposit',
    [
      ['emission', -1],
      ['deposited', 1],
    ],
    'turns played credit into tokens',
  ],
  [
    'a deposit that becomes a harvest',
    [
      ['deposited', -1],
      ['earned', 1],
    ],
    'turns played credit into tokens',
  ],
  [
    'the pool that becomes a deposit',
    [
      ['pool', -1],
      ['deposited', 1],
    ],
    'may not make such a move',
  ],
  [
    'what is held for others',
    [
      ['held', -1],
      ['deposited', 1],
    ],
    'may not make such a move',
  ],
  [
    'what was burned',
    [
      ['burned', -1],
      ['earned', 1],
    ],
    'may not make such a move',
  ],
  [
    'a settlement',
    [
      ['held', -1],
      ['treasury', 1],
    ],
    'may not make such a move',
  ],
  [
    'tokens put away',
    [
      ['pool', -1],
      ['treasury', 1],
    ],
    'may not make such a move',
  ],
  [
    'a pool that nobody funded',
    [
      ['treasury', -1],
      ['pool', 1],
    ],
    'may not make such a move',
  ],
  [
    'a hold that no deposit backs',
    [
      ['treasury', -1],
      ['held', 1],
    ],
    'may not make such a move',
  ],
  ['something out of nothing', [['earned', 1]], 'do not sum to zero'],
] as const)('the api’s login cannot forge credit: %s', async (_, lines, refused) => {
  const { address } = await world.wallet()
  await expect(forge(lines.map(([account, amount]) => [address, account, amount]))).rejects.toThrow(refused)
})

test('a balance that the api wrote without entries is not paid', async () => {
  const wallet = await playerWith(world, { deposited: 10 })
  await ask(
    world.api,
    `update accounts set balance = balance + 5000000 where wallet = $1 and class = 'deposited'`,
    [wallet.address],
  )
  await withdraw(world, wallet, cotton(12)).catch(() => undefined)
  await judgeRequests(await world.newSigner())
  expect(await newestOf(world, wallet)).toMatchObject({ state: 'review', reasons: ['books_differ'] })
  await ask(
    world.owner,
    `update accounts set balance = balance - 5000000 where wallet = $1 and class = 'deposited'`,
    [wallet.address],
  ).catch(() => undefined)
  await world.owner.transaction(async (tx) => {
    await ask(tx, 'set local session_replication_role = replica')
    await ask(tx, 'delete from withdrawals where wallet = $1', [wallet.address])
    await ask(tx, `delete from entries where wallet = $1`, [wallet.address])
    await ask(tx, `delete from journals where wallet = $1`, [wallet.address])
    await ask(tx, 'delete from accounts where wallet = $1', [wallet.address])
    // No trigger saw these changes.
    await ask(tx, 'select fill_totals()')
  })
})

test('the watcher’s login can make deposits and no other move', async () => {
  const { address } = await world.wallet()
  const move = (accounts: readonly string[]) =>
    ask(
      world.watcher,
      `insert into entries (wallet, journal_id, line, account, amount)
       select $1, $2, line::smallint, account::ledger_account, case when line = 1 then -1 else 1 end
       from unnest($3::text[]) with ordinality as l (account, line)`,
      [address, randomUUID(), accounts],
    )
  await expect(move(['emission', 'burned'])).rejects.toThrow('may not make such a move')
  await expect(move(['pool', 'held'])).rejects.toThrow('may not make such a move')
  await expect(ask(world.watcher, `delete from settings`)).rejects.toThrow('permission denied')
})

test('a pause reaches a working signer within two seconds, and nothing is signed until it ends', async () => {
  const wallet = await playerWith(world, { deposited: 100 })
  const signer = await world.newSigner()
  await withdraw(world, wallet, cotton(1))
  await runUntilSettled(world, signer, [wallet])
  const rounds = signingRounds(signer)
  await rounds()
  const { id } = await withdraw(world, wallet, cotton(3))
  await ask(world.owner, `update withdrawals set state = 'review' where id = $1`, [id])
  const running = repeat(rounds, { paceMs: 500, log: world.log })
  try {
    const asked = await signedRequest(world, wallet, cotton(2))
    await pauseWithdrawals(world.owner, { why: 'a test', now: world.clock.now() })
    expect((await request(world, [asked]))[0]!.refusal?.code).toBe('withdrawals_paused')
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    await ask(world.owner, `update withdrawals set state = 'approved' where id = $1`, [id])
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(await newestOf(world, wallet)).toMatchObject({ id, state: 'requested', signature: null })
    await ask(world.owner, `delete from settings where name = 'withdrawals_paused'`)
    await until(async () => (await newestOf(world, wallet)).settledAt !== null, 30_000)
  } finally {
    await running.stop()
    await ask(world.owner, `delete from settings where name = 'withdrawals_paused'`)
  }
})
