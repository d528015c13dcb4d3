import { purchaseWorker } from '#contract/workers.ts'
import { sql } from '#server/platform/db/db.ts'
import { hire, type Hire } from '#server/workers/hire.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { expectCleanBooks, openBooks } from '../books.ts'
import { burst } from '../burst.ts'
import { hireBare } from '../hires/hire-bare.ts'
import { HIRE_SCRIPT } from '../hires/hire-script.ts'
import { type Hiring, seedHirers, someHiring, SUPPLY_ROW } from '../hires/hiring.ts'
import { openHotRow } from '../hot-row.ts'
import { BUYERS } from '../parcels/buyers.ts'
import { findBestClients, pgbenchRunning } from '../pgbench.ts'
import { seeEverybody, settle } from '../players.ts'
import { keyOn } from '../requests.ts'
import { takeTurns } from '../rounds.ts'
import { openSaleWays, openShop, reachOf, type Sale, type SaleTurn } from '../sales.ts'
import { type Course, type Measured, suiteOf } from '../suite.ts'

const LANES = [1, 32, 128, 512]

/** Acknowledged hires of one type a second: every one of them reads and moves the same row of the supply. */
export const hires = suiteOf('Hires of one type beside one statement each', measure)

async function measure(course: Course): Promise<Measured> {
  const { quick, say, closers } = course
  const { ownerUrl, apiUrl, fsyncMs } = await startBenchPostgres({ closers })
  await seedHirers(ownerUrl)
  const books = openBooks(ownerUrl, { closers })
  const seconds = quick ? 1 : 2
  const { bare, db, gathering } = openShop(apiUrl, { closers })
  const script = { apiUrl, script: HIRE_SCRIPT, variables: { buyers: BUYERS } }
  const once = pgbenchRunning('one statement each', script, course)
  const clients = await findBestClients(once, quick ? [2, 8] : [1, 2, 4, 8, 16])
  say(`The base is ${once.name} with ${clients} clients, the best of those tried.`)

  const kids: Sale<Hiring> = {
    sell: (load, buy) => burst(load, (lane) => buy(someHiring(), lane)),
    once: { name: once.name, run: () => once.run({ clients, seconds }) },
    buyBare: (hiring) => hireBare(bare, hiring),
    buyGathered: gathering(hire, ({ wallet }: Hiring): Hire => ({
      wallet,
      workerType: 'kid',
      key: keyOn(purchaseWorker.path),
    })),
    path: purchaseWorker.path,
    ask: ({ player, wallet }) => ({ player, asked: { workerType: 'kid', walletAddress: wallet } }),
    lanes: LANES,
  }
  const hot = await openHotRow({ row: SUPPLY_ROW, apiUrl, owner: books, db, bare, seconds }, course)
  const ways = [...(await openSaleWays(kids, { apiUrl, owner: books, seconds }, { closers })), ...hot.ways]

  const read = async () => Number((await books.rows<{ sold: number }>(readSold))[0]!.sold)
  let sold = await read()
  await settle(ownerUrl)
  await takeTurns<SaleTurn>(ways, {
    rounds: quick ? 2 : 5,
    say,
    settle: () => seeEverybody(ownerUrl),
    async check(turn) {
      const [now, acknowledged] = [await read(), turn.sold ?? turn.done]
      if (now - sold !== acknowledged) {
        throw new Error(`${acknowledged} hires were acknowledged and ${now - sold} were sold`)
      }
      sold = now
    },
    audit: () => expectCleanBooks(books),
  })
  return {
    base: once.name,
    unit: 'hires',
    ways: ways.map(({ way }) => way),
    reach: [...reachOf(once.name, 512, { overOnce: 15, overBare: 75 }), ...hot.reach],
    facts: {
      'Clients of the base': clients,
      'One 8 kB write and fsync on this disk': `${fsyncMs.toFixed(2)} ms`,
      'Hires acknowledged, each with its worker, its number and its charge': sold,
    },
  }
}

const readSold = sql('bench-sold', `select sold from worker_types where worker_type = 'kid'`)
