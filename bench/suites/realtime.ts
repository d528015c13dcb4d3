import { spawnSync } from 'node:child_process'
import { CONTINENTS } from '#game/continents.ts'
import { type BenchPostgres, startBenchPostgres } from '../bench-postgres.ts'
import { type Frames, readFrames } from '../realtime/frames.ts'
import type { Received, ListenQuestion } from '../realtime/listen.ts'
import type { Memory, Question, Stall, Sent } from '../realtime/answer-questions.ts'
import { type Child, startChild } from '../start-child.ts'
import { type Run, type Measured, type Target, suiteOf, type Variant } from '../suite.ts'

// One socket per continent shows the fixed cost of a change.
const FEW = CONTINENTS.length
const SIZES = [1_000, 5_000, 10_000]

// Open files of a process besides its sockets.
const OTHER_FILES = 200

// Slow enough for a bare server on an idle machine: at most 25,000 frames a second.
const PLAIN = 'one change at a time'
const BURSTS = 'ten changes a tick'
const PACES: Record<typeof PLAIN | typeof BURSTS, (sockets: number) => Pace> = {
  [PLAIN]: (sockets: number) => ({ everyMs: Math.max(100, sockets / 25), atOnce: 1 }),
  [BURSTS]: () => ({ everyMs: 50, atOnce: 10 }),
}

// Code that has not been compiled yet is slow, in both servers.
const WARM_UP_MS = 1_500

const WATCHED_MS = 1_000

/** Changes received by the sockets of one process, compared with a bare `ws` server that sends the same frames. */
export const realtime = suiteOf('Changes over WebSockets and a bare ws broadcast', measure)

const BARE = 'bare ws'
const API = 'the api'
const PER_CHANGE = 'ms of CPU time per change'
const STALL = 'longest stall, ms of CPU time'

const sized = (sockets: number) => `${sockets.toLocaleString('en')} sockets`
const nameOf = (who: string, sockets: number, pace: string) => `${who}, ${sized(sockets)}, ${pace}`

function reachWith(sockets: number): Target[] {
  const of = (pace: string) => ({ what: `${sized(sockets)}, ${pace}`, of: nameOf(API, sockets, pace) })
  const overBare = (pace: string) => ({ ...of(pace), over: nameOf(BARE, sockets, pace) })
  const stalls = [PLAIN, BURSTS].map(of).map((variant) => {
    return { ...variant, what: `${variant.what}: ${STALL}`, figure: STALL, atMost: 25 }
  })
  return [
    { ...overBare(PLAIN), atLeast: 1.3 },
    { ...overBare(BURSTS), atLeast: 11 },
    ...(sockets === SIZES.at(-1) ? stalls : []),
  ]
}

type Server = { name: string; start(): Promise<Child<string>> }

async function measure({ quick, say, closers }: Run): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  const crowds = sizesHere(quick ? [SIZES[0]!, SIZES.at(-1)!] : SIZES, say)
  const sizes = [FEW, ...crowds]
  const rounds = quick ? 2 : 3
  const forMs = quick ? 1_500 : 3_000
  const servers = await openServers(postgres)
  const variants = new Map<string, Variant>()
  let lost = 0
  for (let round = 1; round <= rounds; round++) {
    for (const sockets of sizes) {
      for (const server of servers) {
        const sent = await measureServer(server, { sockets, forMs, closers })
        for (const [pace, figures] of sent) {
          const name = nameOf(server.name, sockets, pace)
          const variant = variants.get(name) ?? newVariant(name, nameOf(BARE, sockets, pace))
          variants.set(name, variant)
          add(variant, figures)
          lost += figures.received.closed
          say(
            `round ${round}/${rounds}: ${name}: ${Math.round(variant.perSecond.at(-1)!)} per second of CPU time`,
          )
        }
      }
    }
  }
  return {
    base: [...variants.keys()][0]!,
    unit: 'changes received by a socket',
    per: 'per second of CPU time',
    variants: [...Map.groupBy(variants.values(), (variant) => variant.base).values()].flat(),
    targets: crowds.flatMap(reachWith),
    facts: {
      'Seconds of warm-up': WARM_UP_MS / 1000,
      'Seconds of a measurement': forMs / 1000,
      'Sockets that a server closed': lost,
    },
  }
}

function sizesHere(wanted: readonly number[], say: Run['say']): number[] {
  // Node raises its limit to the hard limit when it starts.
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

type Figures = { received: Received; sent: Sent; stall: Stall; memory: Memory | null }

async function measureServer(
  { start }: Server,
  { sockets, forMs, closers }: { sockets: number; forMs: number } & Pick<Run, 'closers'>,
): Promise<[pace: string, Figures][]> {
  const server = await start()
  const listeners = await startChild(new URL('../realtime/listen.ts', import.meta.url))
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
  const sendChanges = async (pace: Pace, how: { forMs: number; watched: boolean }) => {
    const sent = await server.ask<Sent>({ what: 'changes', ...pace, ...how } satisfies Question)
    const received = await listeners.ask<Received>({ what: 'received', announced: sent.announced })
    if (received.closed === 0 && received.changes !== sent.announced.size * sockets) {
      throw new Error(`${received.changes} of ${sent.announced.size} × ${sockets} changes arrived`)
    }
    return { sent, received }
  }
  await sendChanges(PACES[BURSTS](sockets), { forMs: WARM_UP_MS, watched: false })
  const measured: [string, Figures][] = []
  for (const [name, pace] of Object.entries(PACES)) {
    const figures = await sendChanges(pace(sockets), { forMs, watched: false })
    const { sent } = await sendChanges(pace(sockets), { forMs: WATCHED_MS, watched: true })
    measured.push([name, { ...figures, stall: sent.stall!, memory: sockets > FEW ? perSocket : null }])
  }
  await stop()
  closers.splice(closers.indexOf(stop), 1)
  return measured
}

function newVariant(name: string, base: string): Variant {
  const more = {
    'per second': [],
    [PER_CHANGE]: [],
    'announced/s': [],
    'frames/s': [],
    'KB resident per socket': [],
    'KB used per socket': [],
    [STALL]: [],
    'longest stall, ms': [],
    'share of a core (%)': [],
  }
  return { name, base, perSecond: [], p50Ms: [], p99Ms: [], more }
}

function add(variant: Variant, { received, sent, stall, memory }: Figures): void {
  variant.perSecond.push(received.changes / sent.cpuSeconds)
  variant.p50Ms!.push(received.p50Ms)
  variant.p99Ms!.push(received.p99Ms)
  const more = variant.more!
  more['per second']!.push(received.changes / received.seconds)
  more[PER_CHANGE]!.push((sent.cpuSeconds / sent.announced.size) * 1000)
  more['announced/s']!.push(sent.announced.size / sent.seconds)
  more['frames/s']!.push(received.frames / received.seconds)
  if (memory) {
    more['KB resident per socket']!.push(memory.resident / 1024)
    more['KB used per socket']!.push(memory.used / 1024)
  }
  more[STALL]!.push(stall.processorMs)
  more['longest stall, ms']!.push(stall.clockMs)
  more['share of a core (%)']!.push((sent.cpuSeconds / sent.seconds) * 100)
}
