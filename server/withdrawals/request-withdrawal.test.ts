import { beforeEach, expect, test } from 'vitest'
import { challengeWithdrawal as challengeRoute, requestWithdrawal } from '#contract/withdrawals.ts'
import { cotton, formatCount } from '#game/cotton.ts'
import { Refused } from '#server/platform/answer.ts'
import { parseOrRefuse } from '#server/platform/http/parse.ts'
import {
  createPlayerWith,
  submitRequests,
  signWithdrawalRequest,
  withdraw,
} from '#tests/support/chain-test-players.ts'
import { runQuery, readCreditOf, SITE } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { challengeWithdrawal } from './challenge-withdrawal.ts'
import { refundWithdrawal, settleWithdrawal } from './close-withdrawal.ts'
import { readWithdrawable, readWithdrawals } from './read-withdrawals.ts'
import { requestWithdrawals } from './request-withdrawal.ts'
import { verifySignedMessage } from './verify-signed-message.ts'
import { dayOf } from './reward-day.ts'
import { pauseWithdrawals } from './withdrawal-pause.ts'

const world = setUpChainTestWorld()

// Each test starts a new day with its full budget.
beforeEach(() => world.skipDays(1))

const refusalOf = async (call: Promise<unknown>) => {
  const error: unknown = await call.catch((thrown: unknown) => thrown)
  return error instanceof Refused ? error.refusal.code : `not refused: ${JSON.stringify(error)}`
}

test.each([0, -1, 0.999999, 1.0000001, Number.NaN, Infinity, 'NaN', '5', null, undefined, [5], {}])(
  'an amount of %j is malformed',
  (amount) => {
    const message = 'm'
    const signature = `${'A'.repeat(86)}==`
    expect(() => parseOrRefuse(challengeRoute.body, { amount })).toThrow(Refused)
    expect(() => parseOrRefuse(requestWithdrawal.body, { amount, message, signature })).toThrow(Refused)
  },
)

test('only the wallet itself can sign for a withdrawal, and only the exact message', async () => {
  const [ana, bob] = [await createPlayerWith(world, { deposited: 10 }), await world.wallet()]
  const wallet = ana.address
  const amount = cotton(5)
  const deps = { db: world.api, clock: world.clock, site: SITE }
  const { message } = await challengeWithdrawal(deps, { wallet, amount })
  expect(message).toContain('Cotton Farm at farm.test')
  expect(message).toContain('Amount: 5 $COTTON')
  const signature = await ana.sign(message)
  expect((await verifySignedMessage(SITE, { wallet, amount, message, signature })).nonce).toMatch(
    /^[0-9a-f]{32}$/,
  )

  const foreign = await bob.sign(message)
  const other = { ...SITE, host: 'evil.test' }
  const more = message.replace('Amount: 5', 'Amount: 50')
  const [moreByBob, longer] = [await bob.sign(more), await ana.sign(`${message}\n`)]
  const tries = [
    () => verifySignedMessage(SITE, { wallet, amount, message, signature: foreign }),
    () => verifySignedMessage(SITE, { wallet: bob.address, amount, message, signature }),
    () => verifySignedMessage(SITE, { wallet, amount: cotton(6), message, signature }),
    () => verifySignedMessage(SITE, { wallet, amount: cotton(50), message: more, signature }),
    () => verifySignedMessage(SITE, { wallet, amount: cotton(50), message: more, signature: moreByBob }),
    () =>
      verifySignedMessage(SITE, {
        wallet,
        amount,
        message: `${message}\n`,
        signature: longer,
      }),
    () => verifySignedMessage(other, { wallet, amount, message, signature }),
    () => verifySignedMessage(SITE, { wallet, amount, message: '', signature }),
    () => verifySignedMessage(SITE, { wallet, amount, message, signature: `${'A'.repeat(86)}==` }),
  ]
  for (const tried of tries) expect(await refusalOf(tried())).toBe('signature_failed')
})

test('a signature by a key of small order is refused', async () => {
  // The identity point: lax verification accepts the signature (identity, 0) for any message.
  const wallet = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM'
  const bytes = Buffer.alloc(64)
  bytes[0] = 1
  const message = `Withdraw from Cotton Farm at farm.test\nAmount: 5 $COTTON\nNonce: ${'0'.repeat(32)}\nWallet: ${wallet}`
  const signature = bytes.toString('base64')
  expect(await refusalOf(verifySignedMessage(SITE, { wallet, amount: cotton(5), message, signature }))).toBe(
    'signature_failed',
  )
})

test('fifty replays of one signed request hold once', async () => {
  const ana = await createPlayerWith(world, { deposited: 100 })
  const request = await signWithdrawalRequest(world, ana, cotton(7))
  const answers = (
    await Promise.all(Array.from({ length: 50 }, () => submitRequests(world, [request])))
  ).flat()
  expect(answers.filter((answer) => answer.reply)).toHaveLength(1)
  expect(new Set(answers.flatMap((answer) => answer.refusal?.code ?? []))).toEqual(
    new Set(['challenge_expired']),
  )
  expect((await readCreditOf(world.owner, ana.address)).deposited).toBe(cotton(93))
  expect(await readWithdrawals(world.api, ana.address)).toHaveLength(1)
})

test('a request and its replay in one batch hold once', async () => {
  const ana = await createPlayerWith(world, { deposited: 100 })
  const request = await signWithdrawalRequest(world, ana, cotton(7))
  const answers = await submitRequests(world, [request, { ...request }])
  expect(answers.map((answer) => answer.refusal?.code)).toEqual([undefined, 'challenge_expired'])
  expect((await readCreditOf(world.owner, ana.address)).deposited).toBe(cotton(93))
})

test('a request with the same key gets the stored answer', async () => {
  const ana = await createPlayerWith(world, { deposited: 100 })
  const key = { route: '/w', key: 'once-only', bodyHash: Buffer.from('a') }
  const request = { ...(await signWithdrawalRequest(world, ana, cotton(7))), key }
  const [first] = await submitRequests(world, [request])
  const [again] = await submitRequests(world, [request])
  expect(again).toEqual(first)
  const [other] = await submitRequests(world, [{ ...request, key: { ...key, bodyHash: Buffer.from('b') } }])
  expect(other!.refusal?.code).toBe('key_reused')
  expect(await readWithdrawals(world.api, ana.address)).toHaveLength(1)
})

test('a challenge is valid for five minutes, for its wallet and amount only', async () => {
  const [ana, bob] = [
    await createPlayerWith(world, { deposited: 10 }),
    await createPlayerWith(world, { deposited: 10 }),
  ]
  const request = await signWithdrawalRequest(world, ana, cotton(5))
  const codes = async (wrong: object) =>
    (await submitRequests(world, [{ ...request, ...wrong }]))[0]!.refusal?.code
  expect(await codes({ wallet: bob.address })).toBe('challenge_expired')
  expect(await codes({ amount: cotton(6) })).toBe('challenge_expired')
  expect(await codes({ nonce: 'f'.repeat(32) })).toBe('challenge_expired')
  world.clock.skip(5 * 60_000 + 1)
  expect(await codes({})).toBe('challenge_expired')
  expect((await readCreditOf(world.owner, ana.address)).deposited).toBe(cotton(10))
})

test('a challenge has expired at the instant that ends its five minutes', async () => {
  const ana = await createPlayerWith(world, { deposited: 10 })
  const request = await signWithdrawalRequest(world, ana, cotton(5))
  const [challenge] = await runQuery<{ expiresAt: Date }>(
    world.owner,
    'select expires_at as "expiresAt" from withdrawal_challenges where nonce = $1',
    [request.nonce],
  )
  const codeBefore = async (ms: number) => {
    const clock = { now: () => new Date(challenge!.expiresAt.getTime() - ms) }
    return (await submitRequests({ api: world.api, clock }, [request]))[0]!.refusal?.code
  }
  expect([await codeBefore(0), await codeBefore(1)]).toEqual(['challenge_expired', undefined])
})

test('deposited credit can always be withdrawn, earned credit within the day’s budget and the wallet’s share', async () => {
  // The pool holds 100,000,000: the day's budget is 1,000,000, a wallet's share 20,000.
  const ana = await createPlayerWith(world, { deposited: 10, earned: 50_000 })
  const deps = { db: world.api, clock: world.clock, site: SITE }
  expect(await readWithdrawable(deps, ana.address)).toMatchObject({
    withdrawable: 20_010,
    earnedToday: 20_000,
  })
  const beyond = challengeWithdrawal(deps, { wallet: ana.address, amount: cotton(20_011) })
  expect(await refusalOf(beyond)).toBe('not_withdrawable')

  // Both are requested while each alone fits.
  const both = [
    await signWithdrawalRequest(world, ana, cotton(20_000)),
    await signWithdrawalRequest(world, ana, cotton(11)),
  ]
  const answers = (await Promise.all(both.map((each) => submitRequests(world, [each])))).flat()
  expect(answers.filter((answer) => answer.reply)).toHaveLength(1)
  expect(answers.find((answer) => answer.refusal)?.refusal?.code).toBe('not_withdrawable')
  const left = await readWithdrawable(deps, ana.address)
  await withdraw(world, ana, cotton(left.withdrawable))
  expect(await readWithdrawable(deps, ana.address)).toMatchObject({ withdrawable: 0, earnedToday: 0 })
  expect(await readCreditOf(world.owner, ana.address)).toEqual({ deposited: 0n, earned: cotton(30_000) })

  await world.skipDays(1)
  // 1 % of the rest of the pool, and 2 % of that.
  expect(await readWithdrawable(deps, ana.address)).toMatchObject({ withdrawable: 19_996 })
})

test('requests in one batch share the deposited credit and what the wallet has left of the budget', async () => {
  const ana = await createPlayerWith(world, { deposited: 10, earned: 50_000 })
  const batch = async (...amounts: number[]) => {
    const requests = []
    for (const amount of amounts) requests.push(await signWithdrawalRequest(world, ana, cotton(amount)))
    return (await submitRequests(world, requests)).map(({ refusal }) => refusal)
  }
  expect(await batch(6, 6)).toEqual([undefined, undefined])
  expect(await readCreditOf(world.owner, ana.address)).toEqual({ deposited: 0n, earned: cotton(49_998) })
  const { withdrawable } = await readWithdrawable({ db: world.api, clock: world.clock }, ana.address)
  const left = withdrawable - 15_000
  expect(await batch(15_000, left + 1, left)).toEqual([
    undefined,
    { code: 'not_withdrawable', facts: { available: formatCount(left) } },
    undefined,
  ])
  expect((await readCreditOf(world.owner, ana.address)).earned).toBe(cotton(49_998 - withdrawable))
})

test('an amount above the balance is refused with the amount that can be withdrawn', async () => {
  const ana = await createPlayerWith(world, { deposited: 10, earned: 50_000 })
  const deps = { db: world.api, clock: world.clock, site: SITE }
  const { withdrawable } = await readWithdrawable(deps, ana.address)
  for (const amount of [cotton(50_011), cotton(9_000_000_000)]) {
    await expect(challengeWithdrawal(deps, { wallet: ana.address, amount })).rejects.toMatchObject({
      refusal: { code: 'above_balance', facts: { balance: '50,010', available: formatCount(withdrawable) } },
    })
  }
  const within = await signWithdrawalRequest(world, ana, cotton(15_000))
  await withdraw(world, ana, cotton(15_000))
  expect((await submitRequests(world, [within]))[0]!.refusal).toEqual({
    code: 'not_withdrawable',
    facts: { available: formatCount(withdrawable - 15_000) },
  })
})

test('a wallet has at most ten open withdrawals, however they are requested, and a closed one makes room', async () => {
  const ana = await createPlayerWith(world, { deposited: 100 })
  const requests = await Promise.all(
    Array.from({ length: 14 }, () => signWithdrawalRequest(world, ana, cotton(1))),
  )
  const standard = (some: typeof requests) =>
    world.api.transaction((tx) => requestWithdrawals(tx, some, world.clock))
  // Four in one batch, then ten concurrently.
  const answers = await Promise.all([
    standard(requests.slice(0, 4)),
    ...requests.slice(4).map((each) => standard([each])),
  ])
  const refusals = answers.flat().flatMap(({ refusal }) => (refusal ? [refusal] : []))
  expect(refusals).toEqual(
    Array.from({ length: 4 }, () => ({ code: 'too_many_withdrawals', facts: { open: 10, most: 10 } })),
  )
  expect(await readWithdrawals(world.api, ana.address)).toHaveLength(10)
  expect(await readCreditOf(world.owner, ana.address)).toEqual({ deposited: cotton(90), earned: 0n })
  const deps = { db: world.api, clock: world.clock, site: SITE }
  const challenge = () => challengeWithdrawal(deps, { wallet: ana.address, amount: cotton(1) })
  expect(await refusalOf(challenge())).toBe('too_many_withdrawals')

  const [newest] = await readWithdrawals(world.api, ana.address)
  const closing = { id: newest!.id, wallet: ana.address, now: world.clock.now(), reason: 'a test' }
  await world.owner.transaction((tx) => refundWithdrawal(tx, closing))
  await challenge()
  // A refusal consumes nothing: the same signed request is still valid.
  const left = answers.flat().findIndex((answer) => answer.refusal)
  expect((await standard([requests[left]!]))[0]!.refusal).toBeUndefined()
  expect(await refusalOf(challenge())).toBe('too_many_withdrawals')

  const open = (await readWithdrawals(world.api, ana.address)).find(({ state }) => state === 'requested')
  const paid = { id: open!.id, wallet: ana.address, now: world.clock.now(), signature: 'a payout' }
  await world.owner.transaction((tx) => settleWithdrawal(tx, paid))
  await challenge()
})

test('the requests of one batch count against the limit of open withdrawals one by one', async () => {
  const ana = await createPlayerWith(world, { deposited: 100 })
  const requests = await Promise.all(
    Array.from({ length: 12 }, () => signWithdrawalRequest(world, ana, cotton(1))),
  )
  const answers = await world.api.transaction((tx) => requestWithdrawals(tx, requests, world.clock))
  const refusal = { code: 'too_many_withdrawals', facts: { open: 10, most: 10 } }
  expect(answers.map((answer) => answer.refusal)).toEqual([...Array(10).fill(undefined), refusal, refusal])
})

test('deposited credit is withdrawn without opening the day’s budget', async () => {
  const ana = await createPlayerWith(world, { deposited: 10, earned: 5 })
  const countOpened = async () => {
    const day = dayOf(world.clock.now())
    return (await runQuery(world.owner, 'select from reward_days where day = $1::date', [day])).length
  }
  await withdraw(world, ana, cotton(4))
  await withdraw(world, ana, cotton(6))
  expect(await countOpened()).toBe(0)
  await withdraw(world, ana, cotton(1))
  expect(await countOpened()).toBe(1)
})

test('all players together never exceed the day’s budget', async () => {
  const day = dayOf(world.clock.now())
  await runQuery(world.owner, 'insert into reward_days (day, budget) values ($1::date, $2)', [
    day,
    cotton(50),
  ])
  const wallets = await Promise.all(Array.from({ length: 60 }, () => createPlayerWith(world, { earned: 10 })))
  const requests = await Promise.all(wallets.map((wallet) => signWithdrawalRequest(world, wallet, cotton(1))))
  const batches = [requests.slice(20), ...requests.slice(0, 20).map((each) => [each])]
  const answers = (await Promise.all(batches.map((each) => submitRequests(world, each)))).flat()
  expect(answers.filter((answer) => answer.reply)).toHaveLength(50)
  const [spent] = await runQuery(world.owner, 'select budget, spent from reward_days where day = $1::date', [
    day,
  ])
  expect(spent).toEqual({ budget: cotton(50), spent: cotton(50) })
})

test('nothing is held while withdrawals are paused', async () => {
  const ana = await createPlayerWith(world, { deposited: 10 })
  const request = await signWithdrawalRequest(world, ana, cotton(5))
  const now = world.clock.now()
  await pauseWithdrawals(world.owner, { why: 'a test', now })
  try {
    expect((await submitRequests(world, [request]))[0]!.refusal?.code).toBe('withdrawals_paused')
    const deps = { db: world.api, clock: world.clock, site: SITE }
    const challenge = challengeWithdrawal(deps, { wallet: ana.address, amount: cotton(5) })
    expect(await refusalOf(challenge)).toBe('withdrawals_paused')
    expect(await readWithdrawable(deps, ana.address)).toMatchObject({
      paused: true,
      pause: { reason: 'a test', since: now.toISOString() },
      withdrawable: 10,
    })
  } finally {
    await runQuery(world.owner, `delete from settings where name = 'withdrawals_paused'`)
  }
})

test('the api’s login can request a withdrawal but never approve, sign or change one', async () => {
  const ana = await createPlayerWith(world, { deposited: 10 })
  const { id } = await withdraw(world, ana, cotton(5))
  const denied = [
    () => runQuery(world.api, `update withdrawals set state = 'approved' where id = $1`, [id]),
    () =>
      runQuery(
        world.api,
        `insert into withdrawals (id, wallet, deposited, earned, hold_id, day, requested_at, state)
       values (gen_random_uuid(), $1, 1, 0, gen_random_uuid(), current_date, now(), 'approved')`,
        [ana.address],
      ),
    () =>
      runQuery(
        world.api,
        `insert into payouts (withdrawal_id, signature, signed_at) values ($1, 'x', now())`,
        [id],
      ),
    () => runQuery(world.api, 'select wire from payouts'),
    () => runQuery(world.api, `insert into settings (name, value) values ('x', '1')`),
    () => runQuery(world.api, 'update lanes set withdrawal_id = null'),
    () => runQuery(world.api, 'set role signer'),
  ]
  for (const each of denied) await expect(each()).rejects.toThrow(/permission denied/)
})
