import { startBenchPostgres } from '../bench-postgres.ts'
import { cpuTimeOf } from '../cpu-time.ts'
import type { Question, Sent } from '../realtime/answer-questions.ts'
import type { ListenQuestion, Received } from '../realtime/listen.ts'
import { type Child, startChild } from '../start-child.ts'
import { closeAll, type Measured, type Run, suiteOf, type Variant } from '../suite.ts'

/** The same sockets over one, two and four apis. All changes are committed by the first, and the others learn of them. */
export const sockets = suiteOf('Sockets over several apis', measure)

const COUNTS = [1, 2, 4]
const SOCKETS = 4_000
const WARM_UP_MS = 1_500
const PACES: Record<string, { everyMs: number; atOnce: number }> = {
  'one change at a time': { everyMs: 160, atOnce: 1 },
  'ten changes a tick': { everyMs: 50, atOnce: 10 },
}
const PER_CHANGE = 'ms of CPU time of all apis per change'
const BUSIEST = 'share of a core of the busiest api (%)'

const nameOf = (count: number, pace: string): string => `${count} ${count === 1 ? 'api' : 'apis'}, ${pace}`

async function measure({ quick, say, closers }: Run): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  const variants = new Map<string, Variant>()
  const rounds = quick ? 2 : 5
  for (let round = 1; round <= rounds; round++) {
    // Every second round begins at the other end, so that none of them always runs first.
    for (const count of round % 2 ? COUNTS : COUNTS.toReversed()) {
      const started: Run['closers'] = []
      closers.push(() => closeAll(started))
      const crowd = await openCrowd(postgres.apiUrl, { count, closers: started })
      await sendChanges(crowd, { ...PACES['ten changes a tick']!, forMs: WARM_UP_MS })
      for (const [pace, { everyMs, atOnce }] of Object.entries(PACES)) {
        const figures = await sendChanges(crowd, { everyMs, atOnce, forMs: quick ? 1_500 : 4_000 })
        const name = nameOf(count, pace)
        const variant = variants.get(name) ?? newVariant(name, nameOf(1, pace))
        variants.set(name, variant)
        add(variant, figures)
        say(`round ${round}/${rounds}: ${name}: ${variant.more![PER_CHANGE]!.at(-1)!.toFixed(1)} ms a change`)
      }
      await closeAll(started)
      closers.pop()
    }
  }
  const paces = Object.keys(PACES)
  return {
    base: nameOf(1, paces[0]!),
    unit: 'changes received by a socket',
    per: 'per second of CPU time',
    variants: paces.flatMap((pace) => COUNTS.map((count) => variants.get(nameOf(count, pace))!)),
    targets: paces.flatMap((pace) =>
      COUNTS.slice(1).flatMap((count) =>
        [PER_CHANGE, BUSIEST].map((figure) => ({
          what: `${figure}, over one api: ${nameOf(count, pace)}`,
          of: nameOf(count, pace),
          over: nameOf(1, pace),
          figure,
        })),
      ),
    ),
    facts: { Sockets: SOCKETS, 'Seconds of a measurement': quick ? 1.5 : 4 },
  }
}

type Crowd = { apis: Child<string>[]; listeners: Child<unknown> }

/** Starts the apis, and opens the sockets in equal parts. */
async function openCrowd(
  databaseUrl: string,
  { count, closers }: { count: number } & Pick<Run, 'closers'>,
): Promise<Crowd> {
  const start = async <Hello>(file: string, env: Record<string, string> = {}): Promise<Child<Hello>> => {
    const child = await startChild<Hello>(new URL(`../realtime/${file}`, import.meta.url), { env })
    closers.push(() => child.stop())
    return child
  }
  const apis = await Promise.all(
    Array.from({ length: count }, () => start<string>('serve-api-sockets.ts', { DATABASE_URL: databaseUrl })),
  )
  const listeners = await start('listen.ts')
  let held = 0
  for (const { hello } of apis) {
    const connect: ListenQuestion = { what: 'connect', url: hello, sockets: SOCKETS / count }
    held = await listeners.ask<number>(connect)
  }
  if (held !== SOCKETS) throw new Error(`${held} of ${SOCKETS} sockets are held`)
  return { apis, listeners }
}

type Figures = { sent: Sent; received: Received; cpuSeconds: number[] }

async function sendChanges(
  { apis, listeners }: Crowd,
  pace: { everyMs: number; atOnce: number; forMs: number },
): Promise<Figures> {
  const cpuNow = (): number[] => apis.map(({ pid }) => cpuTimeOf(pid) ?? NaN)
  const before = cpuNow()
  const question: Question = { what: 'changes', ...pace, watched: false }
  const sent = await apis[0]!.ask<Sent>(question)
  const cpuSeconds = cpuNow().map((seconds, at) => seconds - before[at]!)
  const received = await listeners.ask<Received>({ what: 'received', announced: sent.announced })
  if (received.closed > 0 || received.changes !== sent.announced.size * SOCKETS) {
    throw new Error(
      `${received.changes} of ${sent.announced.size} × ${SOCKETS} changes arrived, ${received.closed} sockets closed`,
    )
  }
  return { sent, received, cpuSeconds }
}

const newVariant = (name: string, base: string): Variant => ({
  name,
  base,
  perSecond: [],
  p50Ms: [],
  p99Ms: [],
  more: { [PER_CHANGE]: [], [BUSIEST]: [] },
})

function add(variant: Variant, { sent, received, cpuSeconds }: Figures): void {
  const all = cpuSeconds.reduce((sum, each) => sum + each, 0)
  variant.perSecond.push(received.changes / all)
  variant.p50Ms!.push(received.p50Ms)
  variant.p99Ms!.push(received.p99Ms)
  variant.more![PER_CHANGE]!.push((all / sent.announced.size) * 1_000)
  variant.more![BUSIEST]!.push((Math.max(...cpuSeconds) / sent.seconds) * 100)
}
