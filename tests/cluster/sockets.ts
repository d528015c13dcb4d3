import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { quantile } from '../../bench/statistics.ts'
import { createFundedPlayer, type Player } from '#tests/e2e/funded-player.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { causeFailure, restartApis } from './fail-over.ts'
import { Follower, type Seen } from './follower.ts'
import { type GameCluster, startGameCluster } from './game-cluster.ts'

const USAGE = `npm run test:sockets -- [--sockets N] [--apis N] [--proxies N] [--rolls N] [--failovers N]

  --sockets N    WebSockets through HAProxy, 1 to 10000 (2000)
  --apis N       1 to 8 (4)
  --proxies N    HAProxies in front of the apis, 1 to 8 (as many as the limit on open files asks for)
  --rolls N      how often every api is restarted, one after the other (1)
  --failovers N  how often the primary database is killed (1)

HAProxy needs two open files for each socket. The limit on them is that of the shell (ulimit -n).
Every socket opens again as the web app does. At the end each must have the state that a new one gets.`

/** Each client also reads, as a player who walks through the game: once in this time. */
const READ_EVERY_MS = 30_000
/** What a busy machine delays for longer than this is left out rather than sent at once. */
const LONGEST_BURST_MS = 100
const HIRE_EVERY_MS = 500
const USUAL_MS = 10_000
/** As docs/operate/proxy.md advises. */
const SOCKETS_A_SECOND = 500
const MOST_OF_USUAL = 3
/** Sockets move at the rate of reads, so there are twice as many requests as usual: a stall of a second may triple them. */
const MOVE_ALL_SECONDS = READ_EVERY_MS / 1_000

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)

const sayRestarted = (name: string, tookMs: number): void =>
  say(`${name} was restarted in ${(tookMs / 1_000).toFixed(1)} s.`)

function readOptions() {
  const number = { type: 'string' } as const
  const { values } = parseArgs({
    options: { sockets: number, apis: number, proxies: number, rolls: number, failovers: number },
  })
  const read = (text: string | undefined, standard: number, [least, most]: [number, number]): number => {
    const value = Number(text ?? standard)
    return Number.isInteger(value) && value >= least && value <= most ? value : NaN
  }
  const sockets = read(values.sockets, 2_000, [1, 10_000])
  const options = {
    sockets,
    apis: read(values.apis, 4, [1, 8]),
    proxies: read(values.proxies, proxiesFor(sockets), [1, 8]),
    rolls: read(values.rolls, 1, [0, 100]),
    failovers: read(values.failovers, 1, [0, 100]),
  }
  return Object.values(options).some(Number.isNaN) ? null : options
}

/** A socket has two files in its HAProxy, which needs others for checks and for connections that end. */
const proxiesFor = (sockets: number): number => Math.max(1, Math.ceil((sockets * 2.5) / readFileLimit()))

/** How many files this process, and each that it starts, may have open. */
function readFileLimit(): number {
  const { userLimits } = process.report.getReport() as {
    userLimits: { open_files: { soft: number | 'unlimited' } }
  }
  const { soft } = userLimits.open_files
  return soft === 'unlimited' ? Infinity : soft
}

type Options = NonNullable<ReturnType<typeof readOptions>>

async function runSockets({ sockets, apis, proxies, rolls, failovers }: Options): Promise<void> {
  // While one api restarts, the others have its sockets too.
  const moveSeconds = Math.max(sockets / SOCKETS_A_SECOND, MOVE_ALL_SECONDS) / Math.max(apis - 1, 1)
  const drainSeconds = 4 + Math.ceil(2 * moveSeconds)
  const settings = { RATE_LIMITS: 'off', DRAIN_SECONDS: String(drainSeconds) }
  const cluster = await startGameCluster({ apis, proxies, settings, say })
  const seen: Seen = { attempts: [], returns: [], failures: new Map() }
  const followers = Array.from(
    { length: sockets },
    (_, at) => new Follower(Number(new URL(cluster.urls[at % proxies]!).port), seen),
  )
  const stopping = new AbortController()
  const reads: number[] = []
  try {
    for (const [at, each] of followers.entries()) {
      each.connect()
      if (at % 50 === 49) await sleep(25)
    }
    await waitFor('all sockets', () => followers.every(({ isOpen }) => isOpen), 120_000)
    say(`${sockets} sockets over ${apis} apis and ${proxies} HAProxies are open.`)
    const player = await createFundedPlayer(1_000_000, cluster.url)
    const working = [
      hireRepeatedly(player, stopping.signal),
      readRegularly(cluster.url, { sockets, reads, signal: stopping.signal }),
    ]
    const from = performance.now()
    await sleep(USUAL_MS)
    const usual = { from, to: performance.now() }
    for (let roll = 0; roll < rolls; roll++) await restartApis(cluster, sayRestarted)
    for (let number = 0; number < failovers; number++) {
      await causeFailure(cluster, 'kill')
      say(`Failover ${number + 1} of ${failovers}.`)
    }
    await waitFor('all sockets again', () => followers.every(({ isOpen }) => isOpen), 60_000)
    stopping.abort()
    await Promise.all(working)
    const stale = await countStale(cluster, followers)
    report({ seen, reads, usual, stale })
  } finally {
    stopping.abort()
    for (const each of followers) each.stop()
    await cluster.stop()
  }
}

/** Changes for the sockets. Most hires are answered; what a failover interrupts is not repeated. */
async function hireRepeatedly(player: Player, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await player
      .call('POST', '/api/workers/purchase', {
        workerType: 'kid',
        walletAddress: player.address,
        key: randomUUID(),
      })
      .catch(() => undefined)
    await sleep(HIRE_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}

type Reading = { sockets: number; reads: number[]; signal: AbortSignal }

/** Reads at one rate, however long an answer takes. */
async function readRegularly(url: string, { sockets, reads, signal }: Reading): Promise<void> {
  const open = new Set<Promise<unknown>>()
  let last = performance.now()
  for (let due = 0; !signal.aborted;) {
    const now = performance.now()
    due += (Math.min(now - last, LONGEST_BURST_MS) / READ_EVERY_MS) * sockets
    last = now
    for (; due >= 1; due--) {
      reads.push(now)
      const read = fetch(`${url}/api/workers/supply`)
        .then((answer) => answer.arrayBuffer())
        .catch(() => undefined)
        .finally(() => open.delete(read))
      open.add(read)
    }
    await sleep(10)
  }
  await Promise.all(open)
}

/** How many sockets have another state than a new one gets, after the last change has had a second. */
async function countStale({ url }: GameCluster, followers: readonly Follower[]): Promise<number> {
  await sleep(1_000)
  const fresh = new Follower(Number(new URL(url).port), { attempts: [], returns: [], failures: new Map() })
  fresh.connect()
  const types = ['continentPrices', 'workerUpdate', 'listingUpdate']
  await waitFor('the state of a new socket', () => types.every((type) => fresh.frames.has(type)), 10_000)
  const stale = followers.filter(({ frames }) =>
    types.some((type) => frames.get(type) !== fresh.frames.get(type)),
  )
  fresh.stop()
  return stale.length
}

type Report = { seen: Seen; reads: readonly number[]; usual: { from: number; to: number }; stale: number }

function report({ seen, reads, usual, stale }: Report): void {
  const requests = [...seen.attempts.filter((at) => at >= usual.from), ...reads].toSorted((a, b) => a - b)
  const usualRate = requests.filter((at) => at < usual.to).length / ((usual.to - usual.from) / 1_000)
  const later = requests.filter((at) => at >= usual.to)
  let peak = 0
  for (let first = 0, last = 0; last < later.length; last++) {
    while (later[last]! - later[first]! > 1_000) first += 1
    peak = Math.max(peak, last - first + 1)
  }
  for (const announced of [true, false]) {
    const took = seen.returns.filter((each) => each.announced === announced).map(({ tookMs }) => tookMs)
    if (took.length > 0)
      say(
        `${took.length} sockets came back after ${announced ? 'a restart that was announced' : 'a loss'}: ` +
          `median ${Math.round(quantile(took, 0.5))} ms, 99 of 100 ${Math.round(quantile(took, 0.99))} ms, worst ${Math.round(Math.max(...took))} ms.`,
      )
  }
  say(
    `Requests a second: ${Math.round(usualRate)} usually, ${peak} at the peak, ${(peak / usualRate).toFixed(1)} times as many.`,
  )
  for (const [what, times] of seen.failures) say(`Attempts that failed with ${what}: ${times}.`)
  say(`Sockets with an old state at the end: ${stale}.`)
  const isLate = seen.returns.some(({ announced, tookMs }) => tookMs > (announced ? 5_000 : 15_000))
  if (stale > 0 || isLate || peak > MOST_OF_USUAL * usualRate) process.exitCode = 1
}

const options = readOptions()
if (options) await runSockets(options)
else {
  process.stderr.write(`${USAGE}\n`)
  process.exitCode = 2
}
