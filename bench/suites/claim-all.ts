import { sql } from '#server/platform/db/db.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { expectCleanBooks, openBooks } from '../books.ts'
import { claimAtOnce, claimEach, CREW, seedCrew } from '../claim-all/crew.ts'
import { seeEverybody, settle } from '../players.ts'
import { takeTurns, type TimedWay, type Turn, wayOf } from '../rounds.ts'
import { startApi } from '../start-api.ts'
import { KEEPS_TIMES, openStatementTimes, type StatementTime } from '../statement-times.ts'
import { median } from '../statistics.ts'
import { type Course, type Measured, suiteOf } from '../suite.ts'

/** One player claims of ten thousand workers: by one request, beside a request for each. */
export const claimAll = suiteOf('Claiming of ten thousand workers at once', measure)

const EACH = 'a claim of each over HTTP, 128 at once'
const AT_ONCE = 'one claim-all over HTTP'
const STATEMENTS = 'statements'

/** How many claims the ledger must have booked of each. */
const MOVES = { [EACH]: CREW, [AT_ONCE]: 1 }

const countClaims = sql('bench-count', `select count(*) as claims from journals where kind = 'claim'`)

async function measure({ quick, say, closers }: Course): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers }, [KEEPS_TIMES])
  await seedCrew(postgres.ownerUrl)
  const books = openBooks(postgres.ownerUrl, { closers })
  const api = await startApi({ apiUrl: postgres.apiUrl, closers })
  const times = await openStatementTimes(postgres.ownerUrl)
  closers.push(() => times.end())
  const read = async () => Number((await books.rows<{ claims: bigint }>(countClaims))[0]!.claims)
  let sent: StatementTime[] = []
  const counted = (name: keyof typeof MOVES, run: () => Promise<Turn>): TimedWay => {
    const statements: number[] = []
    return {
      way: { ...wayOf(name, EACH), more: { [STATEMENTS]: statements } },
      async run() {
        const before = await read()
        await times.reset()
        const turn = await run()
        sent = await times.read()
        statements.push(sent.reduce((sum, { calls }) => sum + calls, 0))
        const booked = (await read()) - before
        if (booked !== MOVES[name]) throw new Error(`${booked} claims were booked, not ${MOVES[name]}`)
        return turn
      },
    }
  }
  const ways = [
    counted(EACH, () => claimEach(api.hello)),
    counted(AT_ONCE, () => claimAtOnce(api.hello)),
  ] as const
  await settle(postgres.ownerUrl)
  await takeTurns(ways, {
    rounds: quick ? 2 : 5,
    say,
    settle: () => seeEverybody(postgres.ownerUrl),
    audit: () => expectCleanBooks(books),
  })
  const [pays, ...more] = sent.filter(({ text }) => text.startsWith('update workers'))
  if (pays?.calls !== 1 || pays.rows !== CREW || more.length > 0) {
    throw new Error(`All were not paid by one statement: ${JSON.stringify(sent)}`)
  }
  const told = sent.map(({ text, calls }) => `${text.slice(0, 40)} … (${calls})`)
  const took = (way: TimedWay) => median(way.way.perSecond.map((perSecond) => CREW / perSecond))
  return {
    base: EACH,
    unit: 'workers paid',
    ways: ways.map(({ way }) => way),
    reach: [{ what: 'workers paid by one claim-all, over a claim of each', of: AT_ONCE, over: EACH }],
    facts: {
      'Workers of the player': CREW,
      'Seconds of a claim of each': took(ways[0]).toFixed(2),
      'Seconds of one claim-all': took(ways[1]).toFixed(2),
      'Workers paid by its one statement that pays': pays.rows,
      'All statements of a claim-all, its session’s and its transaction’s too': told.join('; '),
    },
  }
}
