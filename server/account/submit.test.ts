import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { Refused } from '#server/platform/answer.ts'
import { openDb, sql } from '#server/platform/db/db.ts'
import { claim, type Claim } from '#server/workers/claim.ts'
import { type TestPlayer } from '#tests/support/test-player.ts'
import { keyFor, test, type World } from '#tests/support/world.ts'
import { submitting } from './submit.ts'

const PLAYERS = 20
const WORKERS_EACH = 5
const CLIENTS = 64
const FOR_MS = Number(process.env.TORTURE_MS ?? 3_000)

const overflow = sql(
  'test-overflow',
  `update workers set base = 9223372036854775807, since = '2000-01-01' where wallet = $1`,
)
const killApi = sql(
  'test-kill-backends',
  `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'torture' and datname = current_database()`,
)
const readBooked = sql(
  'test-read-booked',
  `select j.detail->>'workerId' as worker, e.amount, k.key from journals j
   join entries e on e.journal_id = j.id and e.account = 'earned'
   join idempotency_keys k on k.wallet = j.wallet and (k.answer->>'claimedAmount')::numeric * 1000000 = e.amount
     and k.at = j.at and k.key like j.detail->>'workerId' || '%'
   where j.kind = 'claim'`,
)
const countClaims = sql(
  'test-count-claims',
  `select count(*) as claims, (select count(*) from idempotency_keys) as keys from journals where kind = 'claim'`,
)

async function crew(world: World): Promise<{ player: TestPlayer; workers: string[] }> {
  const player = await world.player({ deposited: 50_000 * WORKERS_EACH })
  const workers: string[] = []
  for (let each = 0; each < WORKERS_EACH; each++) workers.push(await world.hire(player, 'kid'))
  return { player, workers }
}

test(
  'backends killed under load, a poisoned worker, resends: nothing lost, nothing twice, nobody innocent fails',
  {
    timeout: 60_000 + FOR_MS,
  },
  async ({ world }) => {
    const crews = await Promise.all(Array.from({ length: PLAYERS }, () => crew(world)))
    // What this one has generated does not fit the arithmetic of the table: every statement with it fails.
    const poisoned = await crew(world)
    await world.db.rows(overflow, [poisoned.player.wallet])
    const db = openDb(world.urlFor('api'), { max: 4, applicationName: 'torture' })
    const submit = submitting<Claim, { claimedAmount: number }>({ db, clock: world.clock }, claim)

    const seen = {
      paid: new Map<string, number>(),
      empty: 0,
      poison: 0,
      resent: 0,
      differing: 0,
      innocent: [] as unknown[],
    }
    const ask = async (request: Claim, name: string): Promise<void> => {
      const isPoison = request.wallet === poisoned.player.wallet
      try {
        const { claimedAmount } = await submit(request)
        const before = seen.paid.get(name)
        if (before !== undefined && before !== claimedAmount) seen.differing += 1
        seen.paid.set(name, claimedAmount)
        if (isPoison) seen.innocent.push('the poison was swallowed')
      } catch (error) {
        if (error instanceof Refused && error.refusal.code === 'nothing_to_claim') seen.empty += 1
        else if (isPoison) seen.poison += 1
        else seen.innocent.push(error)
      }
    }
    const run = { on: true }
    const client = async (): Promise<void> => {
      while (run.on) {
        const mine = Math.random() < 0.02 ? poisoned : crews[Math.floor(Math.random() * PLAYERS)]!
        const workerId = mine.workers[Math.floor(Math.random() * WORKERS_EACH)]!
        const name = `${workerId} ${randomUUID()}`
        const request = {
          wallet: mine.player.wallet,
          workerId,
          key: keyFor('/api/workers/claim', name, { workerId }),
        }
        const twice = Math.random() < 0.1
        if (twice) seen.resent += 1
        await Promise.all(twice ? [ask(request, name), ask(request, name)] : [ask(request, name)])
      }
    }
    const clients = Array.from({ length: CLIENTS }, client)
    const until = performance.now() + FOR_MS
    let kills = 0
    while (performance.now() < until) {
      await sleep(150)
      world.clock.advance(3_600_000)
      kills += (await world.db.rows(killApi)).length
    }
    run.on = false
    await Promise.all(clients)
    await db.end()

    expect(kills).toBeGreaterThan(3)
    expect(seen.innocent).toEqual([])
    expect(seen.differing).toBe(0)
    expect(seen.poison).toBeGreaterThan(0)
    expect(seen.resent).toBeGreaterThan(0)
    expect(seen.paid.size).toBeGreaterThan(100)
    const booked = await world.db.rows<{ key: string; amount: bigint }>(readBooked)
    const byKey = new Map(booked.map((row) => [row.key, row.amount]))
    const missing = [...seen.paid].filter(([name, amount]) => byKey.get(name) !== cotton(amount))
    expect(missing).toEqual([])
    const [counted] = await world.db.rows<{ claims: bigint; keys: bigint }>(countClaims)
    expect(counted!.claims).toBe(counted!.keys)
  },
)
