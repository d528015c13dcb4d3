// A process with the product's sockets and views. A change is committed and then announced, as the purchase route does.
import { pino } from 'pino'
import { PARCELS } from '#game/world.ts'
import { createMarket } from '#server/market/market-mode.ts'
import { systemClock } from '#server/platform/clock.ts'
import { openDb } from '#server/platform/db/db.ts'
import { createHttpServer } from '#server/platform/http/http-server.ts'
import { openWorldState } from '#server/world/world-state.ts'
import { walletOf } from '../seed-players.ts'
import { commitMove } from './commit-move.ts'
import { answerQuestions } from './answer-questions.ts'

const databaseUrl = process.env.DATABASE_URL ?? ''
const db = openDb(databaseUrl, { max: 10, applicationName: 'cotton-api' })
const publicUrl = 'http://bench.test'
const log = pino({ level: 'error' })
const app = await createHttpServer({ publicUrl, trustProxy: false, limited: false }, log)
const { land, changes } = await openWorldState(app, {
  db,
  clock: systemClock,
  market: createMarket('auto'),
  publicUrl,
  log,
  busDatabaseUrl: databaseUrl,
})

const FIRST = new Map(PARCELS.toReversed().map(({ regionId, parcelId }) => [regionId, parcelId]))
const BUYER = walletOf(1)
const PRICE = 100_000

answerQuestions({
  url: await app.listen({ host: '127.0.0.1', port: 0 }),
  async change(at) {
    const { code, version } = await commitMove(db, at)
    const parcel = { parcelId: FIRST.get(code)!, owned: true as const, ownerWallet: BUYER, pricePaid: PRICE }
    return () => {
      void changes.publishApplied(
        'land',
        land.applySale({ parcel, newContinentPrice: PRICE, version: Number(version) }),
      )
      return `${code}:${version}`
    }
  },
  async end() {
    await app.close()
    await db.end()
  },
})
