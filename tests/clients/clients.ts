import { parseArgs } from 'node:util'
import { loadavg } from 'node:os'
import { quantile } from '../../bench/statistics.ts'
import { setup } from '#tests/support/global-setup.ts'
import { CLIENT_KINDS } from './hostile-clients.ts'
import type { Served } from './honest-players.ts'
import { type Against, openRange, type Range, type Stage } from './measure-players.ts'

const USAGE = `npm run test:clients -- [--silent N] [--others N] [--rounds N] [--seconds N] [--each yes]

  --silent N   connections that say nothing, 0 to 12000 (10000)
  --others N   connections of every other kind, 0 to 400 (50)
  --rounds N   how often the three stages follow each other (3)
  --seconds N  how long players are measured in each (10)
  --each yes   instead, a stage with each kind alone: what it costs the game and the players

A round has three stages: no hostile clients; hostile clients against a listener that is not the game, which shows what
the players lose to the clients' own work; and hostile clients against the game. The game has a processor of its own, and
the players and the clients share another one, the clients at the lowest priority.

Server and clients each need as many open files as there are connections (ulimit -n). Fails if a player gets no answer, if
not all silent connections are open at once, or if the 99th percentile of the players' times is more than three times as
high with hostile clients against the game as with none.`

const MOST_RATIO = 3

const STAGES: readonly Against[] = ['nobody', 'decoy', 'game']

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)

function readOptions() {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: { silent: text, others: text, rounds: text, seconds: text, each: text },
  })
  const read = (given: string | undefined, usual: number, most: number): number => {
    const value = Number(given ?? usual)
    return Number.isInteger(value) && value >= 0 && value <= most ? value : NaN
  }
  const options = {
    silent: read(values.silent, 10_000, 12_000),
    others: read(values.others, 50, 400),
    rounds: read(values.rounds, 3, 100),
    seconds: read(values.seconds, 10, 600),
  }
  return Object.values(options).some(Number.isNaN) ? null : { ...options, each: values.each === 'yes' }
}

type Options = NonNullable<ReturnType<typeof readOptions>>

function describe({ tookMs }: Served): { p99: number; text: string } {
  const times = tookMs.toSorted((a, b) => a - b)
  const [median, p99, worst] = [quantile(times, 0.5), quantile(times, 0.99), times.at(-1) ?? 0]
  const shown = [median, p99, worst].map((each) => each.toFixed(1))
  return {
    p99,
    text: `${times.length} answers, median ${shown[0]} ms, p99 ${shown[1]} ms, worst ${shown[2]} ms`,
  }
}

const cpuText = ({ gameCpu }: Pick<Stage, 'gameCpu'>): string =>
  `the game used ${Math.round(gameCpu * 100)} % of a processor`

/** Each kind alone, so that it shows which of them costs how much. */
async function measureEach(range: Range, { silent, others, seconds }: Options): Promise<boolean> {
  let failed = false
  for (const { name } of [{ name: 'nobody' }, ...CLIENT_KINDS]) {
    const against: Against = name === 'nobody' ? 'nobody' : 'game'
    const counts = { [name]: name === 'silent' ? silent : others }
    const stage = await range.run({ against, counts, ms: seconds * 1_000 })
    const { opened = 0, most = 0 } = stage.clients[name] ?? {}
    say(`${name}: ${describe(stage).text}; ${cpuText(stage)}; ${opened} opened, ${most} at once`)
    failed ||= stage.failures.length > 0
  }
  return failed
}

async function measureTogether(range: Range, options: Options): Promise<boolean> {
  const { silent, others, rounds, seconds } = options
  const counts = Object.fromEntries(
    CLIENT_KINDS.map(({ name }) => [name, name === 'silent' ? silent : others]),
  )
  const served: Record<Against, Stage[]> = { nobody: [], decoy: [], game: [] }
  for (let round = 0; round < rounds; round++)
    for (const against of STAGES) {
      const stage = await range.run({ against, counts, ms: seconds * 1_000 })
      served[against].push(stage)
      if (against === 'game') sayClients(round, stage)
    }
  return report(served, silent)
}

function sayClients(round: number, { clients, connections, rssBytes }: Stage): void {
  say(`Round ${round + 1}: ${connections} connections, ${Math.round(rssBytes / 2 ** 20)} MiB.`)
  for (const [name, { opened, most, closed, statuses }] of Object.entries(clients))
    say(
      `  ${name}: ${opened} opened, ${most} at once, ${closed} closed by the server, answers ${JSON.stringify(statuses)}`,
    )
}

function report(served: Readonly<Record<Against, readonly Stage[]>>, silent: number): boolean {
  const p99s = {} as Record<Against, number>
  for (const against of STAGES) {
    const stages = served[against]
    const { p99, text } = describe({ tookMs: stages.flatMap(({ tookMs }) => tookMs), failures: [] })
    const gameCpu = stages.reduce((sum, stage) => sum + stage.gameCpu, 0) / stages.length
    p99s[against] = p99
    say(`Hostile clients against ${against}: ${text}; ${cpuText({ gameCpu })}.`)
  }
  const [ratio, ofDecoy] = [p99s.game / p99s.nobody, p99s.decoy / p99s.nobody]
  say(
    `The p99 is ${ratio.toFixed(2)} times that without hostile clients; with them against another listener ${ofDecoy.toFixed(2)} times.`,
  )
  const failures = STAGES.flatMap((against) => served[against]).flatMap((stage) => stage.failures)
  const most = Math.max(...served.game.map(({ clients }) => clients.silent?.most ?? 0))
  say(`${failures.length} requests of players failed. ${most} silent connections were open at once.`)
  for (const each of failures.slice(0, 10)) say(`  ${each}`)
  return failures.length > 0 || most < silent || ratio > MOST_RATIO
}

async function runClients(options: Options): Promise<void> {
  const stopPostgres = await setup()
  const range = await openRange()
  try {
    say(
      range.sharing === 'pinned'
        ? 'The game has a processor of its own.'
        : 'The clients share the processors with the game, so the players also wait for the work of the clients.',
    )
    say(`Load of the machine before: ${loadavg()[0]!.toFixed(1)}.`)
    const failed = options.each ? await measureEach(range, options) : await measureTogether(range, options)
    if (failed) process.exitCode = 1
  } finally {
    await range.close()
    await stopPostgres()
  }
}

const options = readOptions()
if (options) await runClients(options)
else {
  process.stderr.write(`${USAGE}\n`)
  process.exitCode = 2
}
