import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { connectChain } from '#server/chain/solana.ts'
import { openDb } from '#server/platform/db/db.ts'
import { findRunningPostgres } from '#server/processes/postgres/postgres.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { makeDataDir, type RunningServer, runServer } from '#tests/support/run-server.ts'
import { expectCleanBooks } from '../books.ts'
import { type ChainPlayer, enter } from '../chain/chain-players.ts'
import { memoryOf } from '../chain/memory-of.ts'
import { depositAll, type Moved, withdrawAll } from '../chain/money-turns.ts'
import { wayOf } from '../rounds.ts'
import { median } from '../statistics.ts'
import { type Course, type Measured, suiteOf, type Way } from '../suite.ts'

/** Money over the local chain and back beside bare transfers on it, and what `npm start` takes to be there. */
export const chain = suiteOf('Deposits, payouts and the start of the whole game', measure)

const TRANSFERS = 'transfers into the game, until they are final on the chain'
const DEPOSITS = 'deposits, until they are credited'
const PAYOUTS = 'payouts, until they are final and booked'

// Every request and every withdrawal goes straight on: what is measured is the way of the money.
const UNLIMITED = {
  RATE_LIMITS: 'off',
  WITHDRAWAL_NEW_WALLET_HOURS: '0',
  WITHDRAWALS_PER_WALLET_DAY: '1000000',
  WITHDRAWN_PER_WALLET_DAY: '1000000000',
  WITHDRAWALS_PER_HOUR: '1000000',
  WITHDRAWN_PER_HOUR: '1000000000',
}

const AT_REST_MS = 5_000

async function measure({ quick, say, closers }: Course): Promise<Measured> {
  buildTheWeb()
  const { dataDir, remove } = makeDataDir()
  closers.push(remove)
  let running: RunningServer | undefined
  const stop = async () => {
    running?.pressCtrlC()
    await running?.ended
    running = undefined
  }
  closers.push(stop)
  const rpcPort = await findFreePort()
  const env = { ...UNLIMITED, CHAIN_RPC_PORT: String(rpcPort) }
  const start = async () => {
    const from = performance.now()
    running = runServer({ dataDir, command: ['npm', 'start'], env })
    const game = await running.ready
    return { game, seconds: (performance.now() - from) / 1000 }
  }
  const { seconds: first } = await start()
  say(`The first start took ${first.toFixed(1)} s.`)
  const starts: number[] = []
  let game = ''
  for (let time = 0; time < (quick ? 1 : 3); time++) {
    await stop()
    const again = await start()
    game = again.game
    starts.push(again.seconds)
  }
  await new Promise((wait) => setTimeout(wait, AT_REST_MS))
  const memory = memoryOf(running!.pid)

  const ways = [TRANSFERS, DEPOSITS, PAYOUTS].map((name) => wayOf(name, TRANSFERS))
  const many = quick ? 10 : 40
  const moves = await moveMoney({ dataDir, game, rpcPort, many, rounds: quick ? 2 : 5, ways, say, closers })
  return {
    base: TRANSFERS,
    unit: 'moves of money',
    ways,
    facts: {
      'Players who move money at once': many,
      'Deposits credited in a minute': perMinute(ways[1]!),
      'Payouts in a minute': perMinute(ways[2]!),
      'Moves, each in the books, which are audited clean': moves,
      'The first start, which makes the database and the chain': `${first.toFixed(1)} s`,
      'Starts after it': `${median(starts).toFixed(1)} s (${starts.map((each) => each.toFixed(1)).join(', ')})`,
      'Memory at rest, shared pages in parts':
        memory.size === 0 ? 'not told by this machine' : memoryTold(memory),
    },
  }
}

/** Who starts an installed game has its web app built already. */
function buildTheWeb(): void {
  const build =
    "import('./scripts/build-web.mjs').then(({ buildWeb }) => process.exit(buildWeb(console.log) ? 0 : 1))"
  const { status } = spawnSync(process.execPath, ['-e', build], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The web app could not be built: see above.')
}

type Moving = {
  dataDir: string
  game: string
  rpcPort: number
  many: number
  rounds: number
  ways: readonly Way[]
} & Pick<Course, 'say' | 'closers'>

/** Round by round: the players deposit, then they withdraw; the first round warms up and is forgotten. */
async function moveMoney(moving: Moving): Promise<number> {
  const { dataDir, game, rpcPort, many, rounds, ways, say, closers } = moving
  const owner = findRunningPostgres(dataDir)
  if (!owner) throw new Error('The database of the started game is not to be found.')
  const books = openDb(owner, { max: 1, applicationName: 'bench-books', allowFullScans: true })
  closers.push(() => books.end())
  const chain = await connectChain({ isOwnChain: true, rpcUrls: [`http://127.0.0.1:${rpcPort}`] })
  const players: ChainPlayer[] = []
  while (players.length < many) players.push(await enter(game))
  let moves = 0
  for (let round = 0; round <= rounds; round++) {
    const { transfers, deposits } = await depositAll(players, { chain, books })
    const payouts = await withdrawAll(players, { books })
    moves += deposits.done + payouts.done
    await expectCleanBooks(books)
    if (round === 0) continue
    for (const [at, moved] of [transfers, deposits, payouts].entries()) note(ways[at]!, moved)
    const told = ways.map((way) => `${way.name} ${perMinute({ ...way, perSecond: way.perSecond.slice(-1) })}`)
    say(`round ${round}/${rounds}, in a minute: ${told.join('; ')}`)
  }
  return moves
}

function note(way: Way, { done, seconds, p50Ms, p99Ms }: Moved): void {
  way.perSecond.push(done / seconds)
  way.p50Ms!.push(p50Ms)
  way.p99Ms!.push(p99Ms)
}

const perMinute = (way: Way): number => Math.round(median(way.perSecond) * 60)

function memoryTold(memory: ReadonlyMap<string, number>): string {
  const all = [...memory.values()].reduce((sum, each) => sum + each, 0)
  const parts = [...memory].map(([part, megabytes]) => `${part} ${Math.round(megabytes)}`)
  return `${Math.round(all)} MB (${parts.join(', ')})`
}
