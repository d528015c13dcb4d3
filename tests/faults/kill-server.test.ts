import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { createToken, hashToken } from '#server/account/session-token.ts'
import { auditBooks } from '#server/ops/audit-books.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import {
  makeDataDir,
  listProcessTree,
  runServer,
  type RunningServer,
  waitFor,
} from '#tests/support/run-server.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'

const CLAIMS = 1_000
const PLAYERS = 50
const WORKERS_EACH = CLAIMS / PLAYERS
const PRICE = 50_000
const HARVEST = 5_000

/** The server is killed after this many acknowledged claims. */
const KILL_AFTER = [150, 500, 850]

type Seeded = { token: string; workerId: string }

const giveSession = sql({
  name: 'test-give-session',
  params: { tokenHash: 'bytea', wallet: 'text' },
  text: ({ tokenHash, wallet }) =>
    `insert into sessions (token_hash, wallet, created_at, seen_at) values (${tokenHash}, ${wallet}, now(), now())`,
})
const readClaims = sql({
  name: 'test-read-claims',
  row: rowOf<{ worker: string; times: bigint }>(),
  text: `select j.detail->>'workerId' as worker, count(*) as times from journals j where j.kind = 'claim' group by 1`,
})

/** A player whose workers have generated for an hour. */
async function seed(world: TestWorld): Promise<Seeded[]> {
  const player = await world.player({ deposited: WORKERS_EACH * PRICE })
  const token = createToken()
  await world.db.rows(giveSession, { tokenHash: hashToken(token), wallet: player.wallet })
  const workers: Seeded[] = []
  for (let each = 0; each < WORKERS_EACH; each++)
    workers.push({ token, workerId: await world.hire(player, 'kid') })
  return workers
}

let server: RunningServer
let folder: ReturnType<typeof makeDataDir>
afterAll(async () => {
  server.pressCtrlC()
  await server.ended
  folder.remove()
})

test(
  'kill -9 during a thousand claims loses no claim and pays none twice',
  { timeout: 240_000 },
  async ({ world }) => {
    world.clock.set(new Date(Date.now() - 3_600_000).toISOString())
    const jobs = (await Promise.all(Array.from({ length: PLAYERS }, () => seed(world)))).flat()
    expect(jobs).toHaveLength(CLAIMS)
    folder = makeDataDir()
    server = runServer({ dataDir: folder.dataDir, env: { ...world.environment, RATE_LIMITS: 'off' } })
    const url = await server.ready

    const paid = new Map<string, number>()
    let lostAnswers = 0
    const claim = async ({ token, workerId }: Seeded): Promise<void> => {
      const key = randomBytes(16).toString('hex')
      for (;;) {
        try {
          const answer = await fetch(`${url}/api/workers/claim`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-auth-token': token, 'idempotency-key': key },
            body: JSON.stringify({ workerId }),
          })
          if (answer.status === 503) throw new Error('busy')
          expect(answer.status, await answer.clone().text()).toBe(200)
          paid.set(workerId, ((await answer.json()) as { claimedAmount: number }).claimedAmount)
          return
        } catch (error) {
          if ((error as Error).name === 'AssertionError') throw error
          lostAnswers += 1
          await sleep(50)
        }
      }
    }
    const queue = [...jobs]
    const clients = Array.from({ length: 16 }, async () => {
      for (let job = queue.shift(); job; job = queue.shift()) await claim(job)
    })

    const apiOf = () => listProcessTree(server.pid).find(({ command }) => command.endsWith(' api '))
    for (const acknowledged of KILL_AFTER) {
      await waitFor(`${acknowledged} claims`, () => paid.size >= acknowledged)
      process.kill(apiOf()!.pid, 'SIGKILL')
    }
    await Promise.all(clients)

    expect(lostAnswers).toBeGreaterThan(0)
    expect(paid.size).toBe(CLAIMS)
    const booked = await world.db.rows(readClaims)
    expect(booked).toHaveLength(CLAIMS)
    expect(booked.filter((row) => row.times !== 1n)).toEqual([])
    const total = [...paid.values()].reduce((sum, amount) => sum + amount, 0)
    expect(total).toBeGreaterThanOrEqual(CLAIMS * HARVEST)
    const balances = await world.db.rows(
      sql({
        name: 'test-sum-earned',
        row: rowOf<{ total: bigint }>(),
        text: `select sum(balance)::bigint as total from accounts where class = 'earned'`,
      }),
    )
    expect(balances[0]!.total).toBe(cotton(total))
    expect(await auditBooks(world.db)).toEqual([])
  },
)
