import { pino } from 'pino'
import { expect, vi } from 'vitest'
import { interceptDb } from '#tests/support/intercept-statements.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { type Db, isDatabaseUnavailable, openDb, rowOf, sql } from './db/db.ts'
import { type ExclusiveRole, type RoleTerm, startWork, takeTerm, TermLostError } from './role-term.ts'

// A busy machine may stop a process for some tenths of a second, and it must not lose its term by that.
const timing = { renewMs: 40, pollMs: 20, staleMs: 1_200 }
const log = pino({ level: 'silent' })

const addLane = sql({
  name: 'test-add-lane',
  params: { lane: 'integer' },
  text: ({ lane }) => `insert into lanes (lane, nonce_account) values (${lane}, 'n' || ${lane})`,
})
const readLanes = sql({
  name: 'test-read-lanes',
  row: rowOf<{ lane: number }>(),
  text: 'select lane from lanes order by lane',
})
const setTerm = sql({
  name: 'test-set-term',
  params: { role: 'text', term: 'bigint' },
  text: ({ role, term }) => `update role_terms set term = ${term} where role = ${role}`,
})
const readRenewals = sql({
  name: 'test-read-renewals',
  row: rowOf<{ renewals: bigint }>(),
  text: `select renewals from role_terms where role = 'signer'`,
})
const setRenewals = sql({
  name: 'test-set-renewals',
  params: { renewals: 'bigint' },
  text: ({ renewals }) => `update role_terms set renewals = ${renewals} where role = 'signer'`,
})

const open = (world: TestWorld, role: ExclusiveRole = 'signer'): Db =>
  openDb(world.urlFor(role), { max: 3, applicationName: 'test-term' })
const take = (db: Db, holder: string, role: ExclusiveRole = 'signer'): Promise<RoleTerm> =>
  takeTerm({ db, role, holder, log, timing })
const settled = async (promise: Promise<unknown>, ms: number): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<boolean>((done) => setTimeout(() => done(false), ms))])

test('of ten processes one works; another takes over when it ends, and no two have one number', async ({
  world,
}) => {
  const db = open(world)
  const taking = Array.from({ length: 10 }, (_, at) => take(db, `place-${at}`))
  const numbers: bigint[] = []
  const waiting = new Set(taking)
  while (waiting.size > 0) {
    const [term, taken] = await Promise.race([...waiting].map(async (each) => [await each, each] as const))
    waiting.delete(taken)
    numbers.push(term.number)
    if (waiting.size > 0) expect(await settled(Promise.race(waiting), 2 * timing.pollMs)).toBe(false)
    await term.end({ release: true })
  }
  expect(numbers.map((number) => number - numbers[0]!)).toEqual([0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n])
  await db.end()
})

test('a process that stopped renewing writes nothing once another has taken over', async ({ world }) => {
  const db = open(world)
  const paused = await take(db, 'paused')
  const fenced = paused.fence(db)
  await fenced.rows(addLane, { lane: 101 })
  // As by SIGSTOP: it renews nothing and does not know.
  await paused.end({ release: false })
  const next = await take(db, 'next')
  expect(next.number).toBe(paused.number + 1n)
  let worked = false
  const writing = fenced.transaction(async (tx) => {
    worked = true
    tx.send(addLane, { lane: 102 })
  })
  await expect(writing).rejects.toThrow(TermLostError)
  await expect(fenced.rows(addLane, { lane: 103 })).rejects.toThrow(TermLostError)
  expect(worked).toBe(false)
  await paused.lost
  expect(await world.db.rows(readLanes)).toEqual([{ lane: 101 }])
  await next.end({ release: true })
  await db.end()
})

test('another takes over only when a write that has checked its term has ended', async ({ world }) => {
  const db = open(world)
  const paused = await take(db, 'slow')
  await paused.end({ release: false })
  const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
  const writing = paused.fence(db).transaction(async (tx) => {
    tx.send(addLane, { lane: 104 })
    await gate
  })
  const taking = take(db, 'next')
  expect(await settled(taking, 1.5 * timing.staleMs)).toBe(false)
  openGate()
  await writing
  await (await taking).end({ release: true })
  await db.end()
})

test('a process that is paused in the middle of a transaction does not keep its role', async ({ world }) => {
  const db = open(world)
  const paused = await take(db, 'paused')
  await paused.end({ release: false })
  const { promise: gate, resolve: continueWork } = Promise.withResolvers<void>()
  const writing = paused.fence(db).transaction(async (tx) => {
    tx.send(addLane, { lane: 105 })
    await gate
  })
  const next = await take(db, 'next')
  continueWork()
  await expect(writing).rejects.toSatisfy(isDatabaseUnavailable)
  expect(await world.db.rows(readLanes)).not.toContainEqual({ lane: 105 })
  await next.end({ release: true })
  await db.end()
})

test('a process that renews keeps its role, and its successor in the same place does not wait', async ({
  world,
}) => {
  const db = open(world)
  const term = await take(db, 'here')
  const elsewhere = take(db, 'elsewhere')
  expect(await settled(elsewhere, 1.5 * timing.staleMs)).toBe(false)
  // The first goes on renewing. A successor that waited like the one elsewhere would never get the role.
  const successor = await take(db, 'here')
  await term.lost
  await term.end({ release: true })
  // Giving back a lost term takes nothing from the successor.
  await successor.check(db)
  await successor.end({ release: true })
  await (await elsewhere).end({ release: true })
  await db.end()
})

test('a process stands by for one that works, and says so once; for one that has died it only waits', async ({
  world,
}) => {
  const db = open(world)
  const logged: string[] = []
  const listening = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
  const standingBy = vi.fn<() => void>()
  const waitElsewhere = () =>
    takeTerm({ db, role: 'signer', holder: 'elsewhere', log: listening, timing, onStandBy: standingBy })
  const dead = await take(db, 'here')
  await dead.end({ release: false })
  const first = await waitElsewhere()
  expect([logged.length, standingBy.mock.calls.length]).toEqual([0, 0])
  await first.end({ release: true })

  const working = await take(db, 'here')
  const second = waitElsewhere()
  await expect.poll(() => standingBy.mock.calls.length).toBe(1)
  expect(await settled(second, 4 * timing.renewMs)).toBe(false)
  expect(logged).toEqual([expect.stringContaining('another signer works; this one stands by')])
  await working.end({ release: true })
  await (await second).end({ release: true })
  expect(standingBy).toHaveBeenCalledTimes(1)
  await db.end()
})

test('a process that waits asks a database that refuses writes no more often than usual', async ({
  world,
}) => {
  const db = open(world)
  const died = await take(db, 'here')
  await died.end({ release: false })
  let reads = 0
  const readOnly = interceptDb(db, async (statement, run) => {
    if (statement.name === 'terms-read') reads += 1
    else throw Object.assign(new Error('cannot execute UPDATE in a read-only transaction'), { code: '25006' })
    return run()
  })
  const stopping = new AbortController()
  const { signal } = stopping
  // In the same place, so that it need not wait until the term is stale.
  const waiting = takeTerm({ db: readOnly, role: 'signer', holder: 'here', log, timing, signal })
  expect(await settled(waiting, 10 * timing.pollMs)).toBe(false)
  stopping.abort()
  await expect(waiting).rejects.toThrow('aborted')
  expect(reads).toBeGreaterThan(1)
  expect(reads).toBeLessThanOrEqual(11)
  await db.end()
})

test('a process that cannot start its work leaves the role to another at once', async ({ world }) => {
  const db = open(world)
  const failing = await take(db, 'here')
  const elsewhere = take(db, 'elsewhere')
  expect(await settled(elsewhere, 2 * timing.pollMs)).toBe(false)
  const start = () => Promise.reject(new Error('no node answers'))
  await expect(startWork(failing, start)).rejects.toThrow('no node answers')
  expect(await settled(elsewhere, timing.staleMs / 2)).toBe(true)
  // Its next process does not take the role back.
  const again = take(db, 'here')
  expect(await settled(again, 1.5 * timing.staleMs)).toBe(false)
  await (await elsewhere).end({ release: true })
  await (await again).end({ release: true })
  await db.end()
})

test('a process whose database has lost commits writes nothing and ends', async ({ world }) => {
  const db = open(world)
  const renewed = () => expect.poll(async () => (await world.db.rows(readRenewals))[0]!.renewals)
  const term = await take(db, 'here')
  await renewed().toBeGreaterThan(3n)
  // It renews no more, so that only its writes can notice.
  await term.end({ release: false })
  const fenced = term.fence(db)
  await fenced.rows(addLane, { lane: 106 })
  await world.db.rows(setRenewals, { renewals: 0n })
  await expect(fenced.rows(addLane, { lane: 107 })).rejects.toThrow(TermLostError)
  await term.lost
  expect(await world.db.rows(readLanes)).not.toContainEqual({ lane: 107 })

  const idle = await take(db, 'here')
  await renewed().toBeGreaterThan(3n)
  await world.db.rows(setRenewals, { renewals: 0n })
  await idle.lost
  await idle.end({ release: true })
  await (await take(db, 'next')).end({ release: true })
  await db.end()
})

test('the loss of one renewal ends a process, and a later one does not hide it', async ({ world }) => {
  const db = open(world)
  const term = await take(db, 'here')
  // It renews only when it is asked to.
  await term.end({ release: false })
  const before = await world.db.rows(readRenewals)
  await term.renew()
  await term.check(db)
  await world.db.rows(setRenewals, before[0]!)
  await expect(term.check(db)).rejects.toThrow(TermLostError)
  await expect(term.renew()).rejects.toThrow(TermLostError)
  await term.lost
  expect(await world.db.rows(readRenewals)).toEqual(before)
  await (await take(db, 'here')).end({ release: true })
  await db.end()
})

test('a process that did not renew for as long as another waits writes nothing more', async ({ world }) => {
  const db = open(world)
  const term = await take(db, 'here')
  // As without a connection to the primary. Its row remains: so it is on a standby that has lost a take-over.
  await term.end({ release: false })
  const fenced = term.fence(db)
  await fenced.rows(addLane, { lane: 108 })
  expect(await settled(term.lost, timing.staleMs)).toBe(false)
  await expect(term.check(db)).rejects.toThrow(TermLostError)
  await term.lost
  await expect(term.renew()).rejects.toThrow(TermLostError)
  // Not even the renewal that was possible makes up for it.
  await expect(fenced.rows(addLane, { lane: 109 })).rejects.toThrow(TermLostError)
  expect(await world.db.rows(readLanes)).not.toContainEqual({ lane: 109 })
  await (await take(db, 'here')).end({ release: true })
  await db.end()
})

test('a login takes the term of its own role only, and no term becomes lower', async ({ world }) => {
  const [signer, watcher] = [open(world), open(world, 'watcher')]
  const term = await take(signer, 'signer')
  await expect(world.db.rows(setTerm, { role: 'signer', term: 0n })).rejects.toMatchObject({ code: '23514' })
  await term.check(signer)
  await term.end({ release: true })
  await expect(take(watcher, 'stranger', 'signer')).rejects.toMatchObject({ code: '42501' })
  await (await take(watcher, 'watcher', 'watcher')).end({ release: true })
  await Promise.all([signer.end(), watcher.end()])
})
