import { spawnSync } from 'node:child_process'
import { type BenchPostgres, startBenchPostgres } from '../bench-postgres.ts'
import { type Frames, readFrames } from '../realtime/frames.ts'
import type { Heard, ListenQuestion } from '../realtime/listen-cheaply.ts'
import type { Memory, Question, Told } from '../realtime/serve-broadcasts.ts'
import { type Child, startChild } from '../start-child.ts'
import { type Course, type Measured, suiteOf, type Way } from '../suite.ts'

const SIZES = [1_000, 5_000, 10_000]

// Files that a process has open besides its sockets.
const OTHER_FILES = 200

// One at a time so slowly that a bare server keeps pace on a quiet machine: 25,000 frames a second at the most.
const PACES = {
  'one change at a time': (sockets: number) => ({ everyMs: Math.max(100, sockets / 25), atOnce: 1 }),
  'ten changes a tick': () => ({ everyMs: 50, atOnce: 10 }),
}

/** Sockets that one api process holds, and what reaches them, beside a bare `ws` server that sends the same frames. */
export const realtime = suiteOf('News over sockets beside a bare ws broadcast', measure)

type Server = { name: string; start(): Promise<Child<string>> }

async function measure({ quick, say, closers }: Course): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  const sizes = sizesHere(quick ? [SIZES[0]!, SIZES.at(-1)!] : SIZES, say)
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
          const nameOf = (who: string) => `${who}, ${sockets.toLocaleString('en')} sockets, ${pace}`
          const name = nameOf(server.name)
          const way = ways.get(name) ?? wayOf(name, nameOf(servers[0]!.name))
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
    facts: {
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
      env: { FRAMES: JSON.stringify(frames) },
      execArgv,
    })
  return [
    { name: 'bare ws', start: startBare },
    { name: 'the api', start: startApi },
  ]
}

type Figures = { heard: Heard; told: Told; memory: Memory }

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
  const measured: [string, Figures][] = []
  for (const [name, pace] of Object.entries(PACES)) {
    const told = await server.ask<Told>({ what: 'changes', ...pace(sockets), forMs } satisfies Question)
    const heard = await listeners.ask<Heard>({ what: 'heard', announced: told.announced })
    if (heard.closed === 0 && heard.changes !== told.announced.size * sockets) {
      throw new Error(`${heard.changes} of ${told.announced.size} × ${sockets} changes arrived`)
    }
    measured.push([name, { told, heard, memory: perSocket }])
  }
  await stop()
  closers.splice(closers.indexOf(stop), 1)
  return measured
}

function wayOf(name: string, base: string): Way {
  const more = {
    'per second of the clock': [],
    'announced/s': [],
    'frames/s': [],
    'KB resident per socket': [],
    'KB used per socket': [],
    'longest stall, ms of the processor': [],
    'of the clock': [],
    'share of a core (%)': [],
  }
  return { name, base, perSecond: [], p50Ms: [], p99Ms: [], more }
}

function add(way: Way, { heard, told, memory }: Figures): void {
  way.perSecond.push(heard.changes / told.cpuSeconds)
  way.p50Ms!.push(heard.p50Ms)
  way.p99Ms!.push(heard.p99Ms)
  const more = way.more!
  more['per second of the clock']!.push(heard.changes / heard.seconds)
  more['announced/s']!.push(told.announced.size / told.seconds)
  more['frames/s']!.push(heard.frames / heard.seconds)
  more['KB resident per socket']!.push(memory.resident / 1024)
  more['KB used per socket']!.push(memory.used / 1024)
  more['longest stall, ms of the processor']!.push(told.stall.processorMs)
  more['of the clock']!.push(told.stall.clockMs)
  more['share of a core (%)']!.push((told.cpuSeconds / told.seconds) * 100)
}
