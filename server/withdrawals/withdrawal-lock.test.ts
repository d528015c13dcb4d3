import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LOCK_HOURS } from '#contract/withdrawal-lock.ts'
import { cotton } from '#game/cotton.ts'
import { Refused } from '#server/platform/answer.ts'
import {
  createPlayerWith,
  runUntilSettled,
  signWithdrawalRequest,
  submitRequests,
  withdraw,
} from '#tests/support/chain-test-players.ts'
import { readCreditOf, runQuery, SITE, type TestWallet } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { challengeWithdrawal } from './challenge-withdrawal.ts'
import { changeLock, type Lock, readLock, refuseLocked, setLocks } from './withdrawal-lock.ts'

const world = setUpChainTestWorld()
const HOUR_MS = 3_600_000

async function lock(wallet: TestWallet, hours: number) {
  const request = { wallet: wallet.address, hours, key: null }
  const [answer] = await world.api.transaction((tx) => setLocks(tx, [request], world.clock))
  return answer!.reply!.lock
}

const challengeOf = async (wallet: TestWallet): Promise<unknown> => {
  const deps = { db: world.api, clock: world.clock, site: SITE }
  const challenge = challengeWithdrawal(deps, { wallet: wallet.address, amount: cotton(1) })
  return challenge.catch((error: unknown) => (error instanceof Refused ? error.refusal : error))
}

test('during a lock neither challenge nor request is granted, and a challenge from before is no way around', async () => {
  const ana = await createPlayerWith(world, { deposited: 10 })
  const request = await signWithdrawalRequest(world, ana, cotton(5))
  expect(await lock(ana, 24)).toEqual({ hours: 24, next: null })
  const [answer] = await submitRequests(world, [request])
  expect(answer!.refusal).toMatchObject({ code: 'withdrawals_locked' })
  expect(await challengeOf(ana)).toMatchObject({ code: 'withdrawals_locked', facts: { hours: 24 } })
  expect((await readCreditOf(world.owner, ana.address)).deposited).toBe(cotton(10))
})

test('unlocking and shortening wait the hours of the lock; extending holds at once', async () => {
  const ana = await createPlayerWith(world, { deposited: 10 })
  await lock(ana, 72)
  const asked = world.clock.now().getTime()
  const { next } = await lock(ana, 0)
  expect(Date.parse(next!.at) - asked).toBeGreaterThanOrEqual(72 * HOUR_MS)
  expect(await challengeOf(ana)).toMatchObject({ code: 'withdrawals_locked', facts: { until: next!.at } })
  world.clock.skip(10 * HOUR_MS)
  // Asking again neither restarts nor shortens the wait.
  expect(await lock(ana, 0)).toEqual({ hours: 72, next })
  expect(await lock(ana, 168)).toEqual({ hours: 168, next: null })
  const shorter = await lock(ana, 24)
  expect(shorter).toMatchObject({ hours: 168, next: { hours: 24 } })
  const at = new Date(shorter.next!.at)
  expect(await readLock(world.api, ana.address, at)).toEqual({ hours: 24, next: null })
  world.clock.skip(168 * HOUR_MS + 1_000)
  expect(await readLock(world.api, ana.address, world.clock.now())).toEqual({ hours: 24, next: null })
  await lock(ana, 0)
  world.clock.skip(24 * HOUR_MS + 1_000)
  expect(await challengeOf(ana)).toMatchObject({ message: expect.stringContaining('Withdraw from') })
})

test('after a clock that was ahead is set back, unlocking can still be taken back and a lock made stronger, and unlocking waits as long', async () => {
  const ana = await createPlayerWith(world, { deposited: 10 })
  world.clock.skip(HOUR_MS)
  await lock(ana, 24)
  const asked = await lock(ana, 0)
  world.clock.skip(-HOUR_MS)
  expect(await lock(ana, 24)).toEqual({ hours: 24, next: null })
  expect(await lock(ana, 72)).toEqual({ hours: 72, next: null })
  const { next } = await lock(ana, 0)
  expect(Date.parse(next!.at) - Date.parse(asked.next!.at)).toBe(48 * HOUR_MS)
})

test('a withdrawal that was requested before the lock is paid', async () => {
  const ana = await createPlayerWith(world, { deposited: 10 })
  await withdraw(world, ana, cotton(5))
  await lock(ana, 168)
  await runUntilSettled(world, await world.newSigner(), [ana])
  expect(await world.tokenBalanceOf(ana.address)).toBe(cotton(5))
})

test('a lock and a request at once: the request holds before the lock, or is refused', async () => {
  for (let round = 0; round < 6; round++) {
    const ana = await createPlayerWith(world, { deposited: 10 })
    const request = await signWithdrawalRequest(world, ana, cotton(5))
    const [[answer]] = await Promise.all([submitRequests(world, [request]), lock(ana, 24)])
    if (answer!.refusal) expect(answer!.refusal.code).toBe('withdrawals_locked')
    const [late] = await submitRequests(world, [request])
    expect(late!.refusal!.code).toBe('withdrawals_locked')
  }
})

test('whatever is asked in whatever order, a lock ends no sooner than its hours after the first weaker wish', () => {
  const wish = fc.record({
    hours: fc.constantFrom(0, ...LOCK_HOURS),
    afterMs: fc.integer({ min: 0, max: 200 * HOUR_MS }),
  })
  const laws = fc.property(
    fc.constantFrom(...LOCK_HOURS),
    fc.array(wish, { maxLength: 12 }),
    (start, wishes) => {
      let [lockNow, now]: [Lock, number] = [{ hours: start, next: null }, 0]
      let weakerSince: number | null = null
      for (const { hours, afterMs } of wishes) {
        now += afterMs
        const { next } = lockNow
        if (next && next.at.getTime() <= now) {
          expect(next.at.getTime() - weakerSince!).toBeGreaterThanOrEqual(lockNow.hours * HOUR_MS)
          lockNow = { hours: next.hours, next: null }
        }
        const before = lockNow
        lockNow = changeLock(lockNow, hours, new Date(now))
        expect(lockNow.hours).toBeGreaterThanOrEqual(before.hours)
        if (lockNow.next === null) weakerSince = null
        else if (lockNow.next !== before.next) weakerSince = now
      }
    },
  )
  fc.assert(laws, { numRuns: 2_000 })
})

test('whoever asks for the present lock again takes back the wish for a weaker one', () => {
  const now = new Date('2026-11-20T12:00:00.000Z')
  const unlocking = changeLock({ hours: 72, next: null }, 0, now)
  expect(unlocking).toEqual({ hours: 72, next: { hours: 0, at: new Date('2026-11-23T12:00:00.000Z') } })
  expect(changeLock(unlocking, 72, now)).toEqual({ hours: 72, next: null })
})

test('a refusal states when a withdrawal can be requested at the earliest', () => {
  const now = new Date('2026-11-20T12:34:56.789Z')
  const until = (next: Lock['next']) => refuseLocked({ hours: 24, next }, now)?.refusal
  expect(until(null)).toEqual({
    code: 'withdrawals_locked',
    facts: { until: '2026-11-21T12:34:56.789Z', opens: 'on 2026-11-21 at 12:34 UTC', hours: 24 },
  })
  const at = new Date('2026-11-20T13:00:00.000Z')
  expect(until({ hours: 0, at })).toMatchObject({ facts: { until: at.toISOString() } })
  const shortening = (minutesLeft: number) => {
    const next = { hours: 24, at: new Date(now.getTime() + minutesLeft * 60_000) }
    return refuseLocked({ hours: 72, next }, now)?.refusal
  }
  expect(shortening(60)).toMatchObject({ facts: { until: '2026-11-21T13:34:56.789Z' } })
  expect(shortening(72 * 60)).toMatchObject({ facts: { until: '2026-11-23T12:34:56.789Z' } })
})

test('the database lets the login of the api make no lock weaker before its time', async () => {
  const ana = await createPlayerWith(world, { deposited: 10 })
  await lock(ana, 168)
  const weaken = (change: string) =>
    runQuery(world.api, `update withdrawal_locks set ${change} where wallet = $1`, [ana.address])
  await expect(weaken('hours = 0')).rejects.toThrow('a lock may not become weaker')
  await expect(weaken('hours = 24')).rejects.toThrow('a lock may not become weaker')
  await expect(weaken(`next_hours = 0, next_at = changed_at + interval '1 hour'`)).rejects.toThrow('check')
  await expect(weaken(`changed_at = changed_at - interval '1 year'`)).rejects.toThrow('a lock may not')
  await expect(runQuery(world.api, 'delete from withdrawal_locks')).rejects.toThrow('permission denied')
})
