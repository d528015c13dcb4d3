import { spawnSync } from 'node:child_process'
import { CONTINENTS } from '#game/continents.ts'
import { type BenchPostgres, startBenchPostgres } from '../bench-postgres.ts'
import { type Frames, readFrames } from '../realtime/frames.ts'
import type { Heard, ListenQuestion } from '../realtime/listen-cheaply.ts'
import type { Memory, Question, Stall, Told } from '../realtime/serve-broadcasts.ts'
import { type Child, startChild } from '../start-child.ts'
import { type Course, type Measured, type Reach, suiteOf, type Way } from '../suite.ts'

// One on each continent shows what a change costs before there is a crowd.
const FEW = CONTINENTS.length
const SIZES = [1_000, 5_000, 10_000]

// Files that a process has open besides its sockets.
const OTHER_FILES = 200

// One at a time so slowly that a bare server keeps pace on a quiet machine: 25,000 frames a second at the most.
const PLAIN = 'one change at a time'
const BURSTS = 'ten changes a tick'
const PACES: Record<typeof PLAIN | typeof BURSTS, (sockets: number) => Pace> = {
  [PLAIN]: (sockets: number) => ({ everyMs: Math.max(100, sockets / 25), atOnce: 1 }),
  [BURSTS]: () => ({ everyMs: 50, atOnce: 10 }),
}

// Code that runs for the first time is slow, here as there.
const WARM_UP_MS = 1_500

const WATCHED_MS = 1_000

/** Sockets that one api process holds, and what reaches them, beside a bare `ws` server that sends the same frames. */
export const realtime = suiteOf('News over sockets beside a bare ws broadcast', measure)

const BARE = 'bare ws'
const API = 'the api'
const A_CHANGE = 'ms of the processor a change'
const STALL = 'longest stall, ms of the processor'

const sized = (sockets: number) => `${sockets.toLocaleString('en')} sockets`
const nameOf = (who: string, sockets: number, pace: string) => `${who}, ${sized(sockets)}, ${pace}`

function reachWith(sockets: number): Reach[] {
  const of = (pace: string) => ({ what: `${sized(sockets)}, ${pace}`, of: nameOf(API, sockets, pace) })
  const overBare = (pace: string) => ({ ...of(pace), over: nameOf(BARE, sockets, pace) })
  const stalls = [PLAIN, BURSTS].map(of).map((way) => {
    return { ...way, what: `${way.what}: ${STALL}`, figure: STALL, atMost: 25 }
  })
  return [
    { ...overBare(PLAIN), atLeast: 1.3 },
    { ...overBare(BURSTS), atLeast: 11 },
    ...(sockets === SIZES.at(-1) ? stalls : []),
  ]
}

type Server = { name: string; start(): Promise<Child<string>> }

async function measure({ quick, say, closers }: Course): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  const crowds = sizesHere(quick ? [SIZES[0]!, SIZES.at(-1)!] : SIZES, say)
  const sizes = [FEW, ...crowds]
  const rounds = quick ? 2 : 3
  const forMs = quick ? 1_500 : 3_000
  const servers = await openServers(postgres)
  const ways = new Map<string, Way>()
  let lost = 0
  for (let round = 1; round <= rounds; round++) {
    for (const sockets of sizes) {
      for (const server of servers) {
        const told = await measureServer(server, { sockets, forMs, closers })
        for (const [pace, figures] of told) {
          const name = nameOf(server.name, sockets, pace)
          const way = ways.get(name) ?? wayOf(name, nameOf(BARE, sockets, pace))
          ways.set(name, way)
          add(way, figures)
          lost += figures.heard.closed
          say(
            `round ${round}/${rounds}: ${name}: ${Math.round(way.perSecond.at(-1)!)} a second of the processor`,
          )
        }
      }
    }
  }
  return {
    base: [...ways.keys()][0]!,
    unit: 'changes that reached a socket',
    per: 'per second of the server’s processor',
    ways: [...Map.groupBy(ways.values(), (way) => way.base).values()].flat(),
    reach: crowds.flatMap(reachWith),
    facts: {
      'Seconds of bursts before a server is measured': WARM_UP_MS / 1000,
      'Seconds of changes in a measurement': forMs / 1000,
      'Sockets that a server closed': lost,
    },
  }
}

function sizesHere(wanted: readonly number[], say: Course['say']): number[] {
  // Node lifts its own limit to the hard one when it starts.
  const limit = spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).stdout.trim()
  const most = limit === 'unlimited' ? Infinity : Number(limit)
  return wanted.filter((sockets) => {
    const fits = sockets + OTHER_FILES <= most
    if (!fits) say(`${sockets} sockets are left out: a process may have ${most} files open (ulimit -Hn).`)
    return fits
  })
}

async function openServers(postgres: BenchPostgres): Promise<Server[]> {
  const execArgv = ['--expose-gc']
  const startApi = () =>
    startChild<string>(new URL('../realtime/serve-api-sockets.ts', import.meta.url), {
      env: { DATABASE_URL: postgres.apiUrl },
      execArgv,
    })
  const api = await startApi()
  const frames: Frames = await readFrames(api.hello)
  await api.stop()
  const startBare = () =>
    startChild<string>(new URL('../realtime/serve-bare-sockets.ts', import.meta.url), {
      env: { DATABASE_URL: postgres.apiUrl, FRAMES: JSON.stringify(frames) },
      execArgv,
    })
  return [
    { name: BARE, start: startBare },
    { name: API, start: startApi },
  ]
}

type Pace = { everyMs: number; atOnce: number }

type Figures = { heard: Heard; told: Told; stall: Stall; memory: Memory | null }

async function measureServer(
  { start }: Server,
  { sockets, forMs, closers }: { sockets: number; forMs: number } & Pick<Course, 'closers'>,
): Promise<[pace: string, Figures][]> {
  const server = await start()
  const listeners = await startChild(new URL('../realtime/listen-cheaply.ts', import.meta.url))
  const stop = async () => {
    await listeners.stop()
    await server.stop()
  }
  closers.push(stop)
  const memory = { what: 'memory' } satisfies Question
  const before = await server.ask<Memory>(memory)
  const connect: ListenQuestion = { what: 'connect', url: server.hello, sockets }
  const held = await listeners.ask<number>(connect)
  if (held !== sockets) throw new Error(`${held} of ${sockets} sockets are held`)
  const after = await server.ask<Memory>(memory)
  const perSocket = {
    resident: (after.resident - before.resident) / sockets,
    used: (after.used - before.used) / sockets,
  }
  const tell = async (pace: Pace, how: { forMs: number; watched: boolean }) => {
    const told = await server.ask<Told>({ what: 'changes', ...pace, ...how } satisfies Question)
    const heard = await listeners.ask<Heard>({ what: 'heard', announced: told.announced })
    if (heard.closed === 0 && heard.changes !== told.announced.size * sockets) {
      throw new Error(`${heard.changes} of ${told.announced.size} × ${sockets} changes arrived`)
    }
    return { told, heard }
  }
  await tell(PACES[BURSTS](sockets), { forMs: WARM_UP_MS, watched: false })
  const measured: [string, Figures][] = []
  for (const [name, pace] of Object.entries(PACES)) {
    const figures = await tell(pace(sockets), { forMs, watched: false })
    const { told } = await tell(pace(sockets), { forMs: WATCHED_MS, watched: true })
    measured.push([name, { ...figures, stall: told.stall!, memory: sockets > FEW ? perSocket : null }])
  }
  await stop()
  closers.splice(closers.indexOf(stop), 1)
  return measured
}

function wayOf(name: string, base: string): Way {
  const more = {
    'per second of the clock': [],
    [A_CHANGE]: [],
    'announced/s': [],
    'frames/s': [],
    'KB resident per socket': [],
    'KB used per socket': [],
    [STALL]: [],
    'of the clock': [],
    'share of a core (%)': [],
  }
  return { name, base, perSecond: [], p50Ms: [], p99Ms: [], more }
}

function add(way: Way, { heard, told, stall, memory }: Figures): void {
  way.perSecond.push(heard.changes / told.cpuSeconds)
  way.p50Ms!.push(heard.p50Ms)
  way.p99Ms!.push(heard.p99Ms)
  const more = way.more!
  more['per second of the clock']!.push(heard.changes / heard.seconds)
  more[A_CHANGE]!.push((told.cpuSeconds / told.announced.size) * 1000)
  more['announced/s']!.push(told.announced.size / told.seconds)
  more['frames/s']!.push(heard.frames / heard.seconds)
  if (memory) {
    more['KB resident per socket']!.push(memory.resident / 1024)
    more['KB used per socket']!.push(memory.used / 1024)
  }
  more[STALL]!.push(stall.processorMs)
  more['of the clock']!.push(stall.clockMs)
  more['share of a core (%)']!.push((told.cpuSeconds / told.seconds) * 100)
}
