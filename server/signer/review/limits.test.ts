import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { runRepeatedly } from '#server/platform/run-rounds.ts'
import {
  readNewestWithdrawal,
  createPlayerWith,
  submitRequests,
  runUntilSettled,
  signWithdrawalRequest,
  withdraw,
} from '#tests/support/chain-test-players.ts'
import { runQuery, SITE, type TestWallet, waitUntil } from '#tests/support/chain-test-world.ts'
import { createKnownPlayer, newMainnetSigner } from '#tests/support/payouts.ts'
import { makeOps } from '#tests/support/operators.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { applyApprovals } from './approvals.ts'
import { challengeWithdrawal } from '#server/withdrawals/challenge-withdrawal.ts'
import { reviewRequests } from './review-requests.ts'
import { readWithdrawable } from '#server/withdrawals/read-withdrawals.ts'
import { openTodaysBudget } from './reward-bounds.ts'
import { dayOf } from '#server/withdrawals/reward-day.ts'
import { signApproved } from '../payouts/sign-approved.ts'
import { createSigningRound } from '../start-signer.ts'
import { pauseWithdrawals } from '#server/withdrawals/withdrawal-pause.ts'

const world = setUpChainTestWorld()

const DAY_MS = 24 * 60 * 60_000

// Each test starts a new day with its full budget.
beforeEach(() => world.skipDays(1))

async function reasonsOf(wallet: TestWallet): Promise<string[]> {
  return [...(await readNewestWithdrawal(world, wallet)).reasons]
}

test('first withdrawals and new wallets wait, and the player reads every reason (X-15)', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  await withdraw(world, wallet, cotton(5))
  await reviewRequests(await newMainnetSigner(world))
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({
    state: 'review',
    reasons: ['first_withdrawal', 'new_wallet'],
    reason: expect.stringContaining('first withdrawal'),
  })
})

test('a known wallet is paid automatically until it exceeds its pace, even if the signer restarts', async () => {
  const wallet = await createKnownPlayer(world, { deposited: 100 })
  for (let count = 1; count <= 6; count++) {
    await withdraw(world, wallet, cotton(1))
    await reviewRequests(await newMainnetSigner(world))
    expect(await reasonsOf(wallet)).toEqual(count <= 5 ? [] : ['wallet_pace'])
  }
  world.clock.skip(DAY_MS + 1)
  await withdraw(world, wallet, cotton(1))
  await reviewRequests(await newMainnetSigner(world))
  expect(await reasonsOf(wallet)).toEqual([])
})

test('time and day in the row of a request do not affect the limits', async () => {
  const wallet = await createKnownPlayer(world, { deposited: 100 })
  for (let count = 1; count <= 6; count++) {
    await withdraw(world, wallet, cotton(1))
    await runQuery(
      world.owner,
      `update withdrawals set requested_at = '2026-01-01', day = '2026-01-01' where wallet = $1`,
      [wallet.address],
    )
    await reviewRequests(await newMainnetSigner(world))
  }
  const [{ waiting }] = (await runQuery<{ waiting: bigint }>(
    world.owner,
    `select count(*) as waiting from withdrawals where wallet = $1 and 'wallet_pace' = any(reasons)`,
    [wallet.address],
  )) as [{ waiting: bigint }]
  expect(waiting).toBe(1n)
})

test('where tokens have a value, earned credit is paid only after a credited deposit', async () => {
  await world.newSigner()
  const wallet = await createPlayerWith(world, { earned: 50 })
  // None of these is a credited deposit.
  await runQuery(
    world.owner,
    `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, why, seen_at)
     select asset || ' ' || state, 'account', $1::text, asset, 5000000, 1, state, why, $2::timestamptz
     from (values ('cotton', 'pending', null), ('cotton', 'dropped', null), ('sol', 'unclaimed', 'sol'),
       ('other_token', 'unclaimed', 'other_token')) as receipt (asset, state, why)`,
    [wallet.address, world.clock.now()],
  )
  const deps = { db: world.api, clock: world.clock, site: SITE }
  const early = await signWithdrawalRequest(world, wallet, cotton(5))
  const inBooks = await runQuery<{ value: object }>(
    world.owner,
    `select value from settings where name = 'chain'`,
  )
  await runQuery(
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
    expect((await submitRequests(world, [early]))[0]!.refusal?.code).toBe('deposit_first')
    const depositor = await createPlayerWith(world, { deposited: 1, earned: 50 })
    expect(await readWithdrawable(deps, depositor.address)).toMatchObject({
      needsDeposit: false,
      withdrawable: 51,
    })
  } finally {
    await runQuery(world.owner, `update settings set value = $1 where name = 'chain'`, [
      JSON.stringify(inBooks[0]!.value),
    ])
  }
  // A request that bypassed the api is reviewed.
  await withdraw(world, wallet, cotton(5))
  await reviewRequests(await newMainnetSigner(world))
  expect(await reasonsOf(wallet)).toContain('no_deposit')
  await runQuery(world.owner, 'delete from receipts where wallet = $1', [wallet.address])
})

test('the api cannot raise the day’s budget: the signer computes it from the pool', async () => {
  const signer = await world.newSigner()
  await openTodaysBudget(signer)
  const wallet = await createPlayerWith(world, { earned: 90_000 })
  await expect(runQuery(world.api, 'update reward_days set budget = budget * 9')).rejects.toThrow(
    'permission denied',
  )
  // With the api's login, tomorrow is opened with an inflated budget.
  world.clock.skip(DAY_MS)
  await runQuery(world.api, 'insert into reward_days (day, budget) values ($1::date, $2)', [
    dayOf(world.clock.now()),
    cotton(50_000_000),
  ])
  // A wallet's share of the day's budget is about 20,000.
  await withdraw(world, wallet, cotton(15_000))
  await reviewRequests(signer)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'requested', reasons: [] })
  await withdraw(world, wallet, cotton(15_000))
  await reviewRequests(signer)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({
    state: 'review',
    reasons: ['over_budget'],
  })
  // An approval does not override this.
  const { id } = await readNewestWithdrawal(world, wallet)
  const { operators, run } = makeOps(world)
  expect(await run(['approve', id, ...operators.key('ana')])).toContain('Approved')
  await applyApprovals({ ...signer, operators: operators.read })
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'review' })
})

test('a withdrawal whose budget is exceeded after its approval goes to review and is not signed', async () => {
  const signer = await world.newSigner()
  const wallet = await createPlayerWith(world, { earned: 9_000 })
  const { id } = await withdraw(world, wallet, cotton(5))
  await reviewRequests(signer)
  await runQuery(world.owner, 'update reward_bounds set budget = 0 where day = $1::date', [
    dayOf(world.clock.now()),
  ])
  // First in the queue, so that a lane is free.
  await runQuery(world.owner, `update withdrawals set requested_at = '2020-01-01' where id = $1`, [id])
  expect(
    (await runQuery(world.owner, 'select from lanes where withdrawal_id is null')).length,
  ).toBeGreaterThan(0)
  await signApproved(signer)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({
    state: 'review',
    reasons: ['over_budget'],
  })
  expect(await runQuery(world.owner, 'select from payouts where withdrawal_id = $1', [id])).toEqual([])
  expect(await runQuery(world.owner, 'select from lanes where withdrawal_id = $1', [id])).toEqual([])
})

/** The entries of one journal, as an attacker with the api's login would write them. */
async function forge(
  entries: readonly [wallet: string, account: string, amount: number][],
): Promise<unknown> {
  const journal = randomUUID()
  return world.api.transaction(async (tx) => {
    await runQuery(
      tx,
      `insert into journals (id, wallet, kind, at, detail) values ($1, $2, 'claim', now(), '{}')`,
      [journal, entries[0]![0]],
    )
    await runQuery(
      tx,
      `insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
       select wallet, $1, line::smallint, account::ledger_account, amount,
         case when account in ('deposited', 'earned') then 1000000 end,
         case when account in ('deposited', 'earned') then 1 end
       from unnest($2::text[], $3::text[], $4::bigint[]) with ordinality as l (wallet, account, amount, line)`,
      [
        journal,
        entries.map((each) => each[0]),
        entries.map((each) => each[1]),
        entries.map((each) => each[2]),
      ],
    )
    throw new Error('the database accepted it')
  })
}

test.each([
  [
    'earned credit that becomes deposited',
    [
      ['emission', -1],
      ['deposited', 1],
    ],
    'turns played credit into tokens',
  ],
  [
    'deposited credit that becomes earned',
    [
      ['deposited', -1],
      ['earned', 1],
    ],
    'turns played credit into tokens',
  ],
  [
    'tokens of the pool that become deposited credit',
    [
      ['pool', -1],
      ['deposited', 1],
    ],
    'may not make such a move',
  ],
  [
    'tokens held for others',
    [
      ['held', -1],
      ['deposited', 1],
    ],
    'may not make such a move',
  ],
  [
    'burned credit that is restored',
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
    'tokens taken out of the pool',
    [
      ['pool', -1],
      ['treasury', 1],
    ],
    'may not make such a move',
  ],
  [
    'a pool without funding',
    [
      ['treasury', -1],
      ['pool', 1],
    ],
    'may not make such a move',
  ],
  [
    'a hold without a deposit',
    [
      ['treasury', -1],
      ['held', 1],
    ],
    'may not make such a move',
  ],
  ['something out of nothing', [['earned', 1]], 'do not sum to zero'],
] as const)('the api’s login cannot forge credit: %s', async (_, entries, refused) => {
  const { address } = await world.wallet()
  await expect(forge(entries.map(([account, amount]) => [address, account, amount]))).rejects.toThrow(refused)
})

test('a balance that the api wrote without entries is not paid', async () => {
  const wallet = await createPlayerWith(world, { deposited: 10 })
  await runQuery(
    world.api,
    `update accounts set balance = balance + 5000000 where wallet = $1 and class = 'deposited'`,
    [wallet.address],
  )
  await withdraw(world, wallet, cotton(12)).catch(() => undefined)
  await reviewRequests(await world.newSigner())
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({
    state: 'review',
    reasons: ['books_differ'],
  })
  await runQuery(
    world.owner,
    `update accounts set balance = balance - 5000000 where wallet = $1 and class = 'deposited'`,
    [wallet.address],
  ).catch(() => undefined)
  await world.owner.transaction(async (tx) => {
    await runQuery(tx, 'set local session_replication_role = replica')
    await runQuery(tx, 'delete from withdrawals where wallet = $1', [wallet.address])
    await runQuery(tx, `delete from entries where wallet = $1`, [wallet.address])
    await runQuery(tx, `delete from journals where wallet = $1`, [wallet.address])
    await runQuery(tx, 'delete from accounts where wallet = $1', [wallet.address])
    // The triggers did not run for these changes.
    await runQuery(tx, 'select fill_totals()')
  })
})

test('the watcher’s login can post deposits and no other journal', async () => {
  const { address } = await world.wallet()
  const move = (accounts: readonly string[]) =>
    runQuery(
      world.watcher,
      `insert into entries (wallet, journal_id, line, account, amount)
       select $1, $2, line::smallint, account::ledger_account, case when line = 1 then -1 else 1 end
       from unnest($3::text[]) with ordinality as l (account, line)`,
      [address, randomUUID(), accounts],
    )
  await expect(move(['emission', 'burned'])).rejects.toThrow('may not make such a move')
  await expect(move(['pool', 'held'])).rejects.toThrow('may not make such a move')
  await expect(runQuery(world.watcher, `delete from settings`)).rejects.toThrow('permission denied')
})

test('a running signer obeys a pause in its next round and signs nothing until it ends', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  const signer = await world.newSigner()
  await withdraw(world, wallet, cotton(1))
  await runUntilSettled(world, signer, [wallet])
  const rounds = createSigningRound(signer)
  await rounds()
  const { id } = await withdraw(world, wallet, cotton(3))
  await runQuery(world.owner, `update withdrawals set state = 'review' where id = $1`, [id])
  let roundsDone = 0
  const countedRound = async () => {
    await rounds()
    roundsDone++
  }
  const running = runRepeatedly(countedRound, { intervalMs: 50, log: world.log })
  try {
    const request = await signWithdrawalRequest(world, wallet, cotton(2))
    await pauseWithdrawals(world.owner, { why: 'a test', now: world.clock.now() })
    expect((await submitRequests(world, [request]))[0]!.refusal?.code).toBe('withdrawals_paused')
    await runQuery(world.owner, `update withdrawals set state = 'requested' where id = $1`, [id])
    // The first of these rounds may have begun before the pause.
    const before = roundsDone
    await waitUntil(async () => roundsDone >= before + 3)
    expect(await readNewestWithdrawal(world, wallet)).toMatchObject({
      id,
      state: 'requested',
      signature: null,
    })
    await runQuery(world.owner, `delete from settings where name = 'withdrawals_paused'`)
    await waitUntil(async () => (await readNewestWithdrawal(world, wallet)).settledAt !== null)
  } finally {
    await running.stop()
    await runQuery(world.owner, `delete from settings where name = 'withdrawals_paused'`)
  }
})

test('what was reviewed while the clock was ahead does not count once it is set back', async () => {
  const wallet = await createKnownPlayer(world, { deposited: 100 })
  const reviewOne = async () => {
    const { id } = await withdraw(world, wallet, cotton(1))
    await reviewRequests(await newMainnetSigner(world))
    const text = 'select reasons from withdrawals where id = $1'
    return runQuery<{ reasons: string[] }>(world.owner, text, [id])
  }
  await world.skipDays(400)
  for (let count = 1; count <= 5; count++) expect(await reviewOne()).toEqual([{ reasons: [] }])
  await world.skipDays(-400)
  expect(await reviewOne()).toEqual([{ reasons: [] }])
})
