import { test as base } from 'vitest'
import type { Cotton } from '#game/cotton.ts'
import { totalOf, type Credit } from '#game/credit.ts'
import type { WorkerType } from '#game/workers.ts'
import type { IdempotencyKey } from '#server/actions/run-once.ts'
import { readBalance } from '#server/ledger/read-balance.ts'
import { verifyLedger } from '#server/ledger/verify-ledger.ts'
import { auditTotals } from '#server/solvency/audit-totals.ts'
import { buyParcels } from '#server/parcels/buy-parcels.ts'
import { replyOf } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { openDb, type Db } from '#server/platform/db/db.ts'
import type { RoleName } from '#server/platform/db/roles.ts'
import { hire } from '#server/workers/hire.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'
import { grantCredit } from './grant-credit.ts'
import { testPlayer, type TestPlayer } from './test-player.ts'

/** A clock that only advances when a test sets it. */
export type TestClock = Clock & { set(instant: string): void; advance(ms: number): void }

export type TestWorld = {
  db: Db
  url: string
  /** Has a session of its own, also where `url` leads through a pooler. */
  directUrl: string
  /** The environment of a child process that uses this world's database. */
  environment: Record<string, string>
  urlFor(role: RoleName): string
  directUrlFor(role: RoleName): string
  clock: TestClock
  /** A wallet with this credit. Earned credit is posted as an adjustment, so that claims still match the workers. */
  player(credit?: { deposited?: number; earned?: number }): Promise<TestPlayer>
  /** Hires workers through the product, at the clock's time. */
  hire(player: TestPlayer, type: WorkerType): Promise<string>
  /** Buys land through the product, at the price of its continent. */
  buy(player: TestPlayer, parcelId: string): Promise<void>
  credit(player: TestPlayer): Promise<Credit>
  balance(player: TestPlayer): Promise<Cotton>
}

/** `test` with a separate world for each file. After every test the whole ledger is verified. */
export const test = base
  .extend('world', { scope: 'file' }, async ({}, { onCleanup }) => {
    const database = await freshDatabase()
    const db = openDb(database.url, { max: 20, applicationName: 'test' })
    onCleanup(async () => {
      await db.end()
      await database.drop()
    })
    return createTestWorld(db, database)
  })
  .extend('ledgerCheck', { auto: true }, async ({ world }, { onCleanup }) => {
    onCleanup(() => expectValidLedger(world.db))
    return null
  })

/** Fails if the ledger violates one of its invariants. */
async function expectValidLedger(db: Db): Promise<void> {
  const findings = [...(await verifyLedger(db)), ...(await auditTotals(db))]
  if (findings.length > 0) throw new Error(`The ledger is inconsistent: ${JSON.stringify(findings, null, 2)}`)
}

/** A test world on an open database. */
export function createTestWorld(db: Db, database: Omit<FreshDatabase, 'drop'>): TestWorld {
  const clock = testClock('2026-01-05T12:00:00.000Z')
  return {
    db,
    url: database.url,
    directUrl: database.directUrl,
    environment: database.environment,
    urlFor: (role) => database.urlFor(role),
    directUrlFor: (role) => database.directUrlFor(role),
    clock,
    async player({ deposited = 0, earned = 0 } = {}) {
      const player = testPlayer()
      await db.transaction((tx) => grantCredit(tx, player.wallet, { deposited, earned }, clock.now()))
      return player
    },
    async hire(player, workerType) {
      const [answer] = await db.transaction((tx) =>
        hire(tx, [{ wallet: player.wallet, workerType, key: null }], clock),
      )
      return replyOf(answer!).worker.workerId
    },
    async buy(player, parcelId) {
      const purchase = { wallet: player.wallet, parcelId, expectedPrice: null, key: null }
      const [answer] = await db.transaction((tx) => buyParcels(tx, [purchase], clock))
      replyOf(answer!)
    },
    credit: (player) => readBalance(db, player.wallet),
    balance: async (player) => totalOf(await readBalance(db, player.wallet)),
  }
}

/** A clock at this instant. */
export function testClock(instant: string): TestClock {
  let now = new Date(instant)
  return {
    now: () => now,
    set: (next) => {
      now = new Date(next)
    },
    advance: (ms) => {
      now = new Date(now.getTime() + ms)
    },
  }
}

/** An idempotency key for a route, with the hash of this body. */
export function keyFor(route: string, key: string, body: object): IdempotencyKey {
  return { route, key, bodyHash: Buffer.from(JSON.stringify(body)) }
}
