import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { quantile } from '../../bench/statistics.ts'
import { startFuzzedGame } from '#tests/fuzz/fuzzed-game.ts'
import { setup } from '#tests/support/global-setup.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { CLIENT_KINDS } from './hostile-clients.ts'
import { HonestPlayers, type Served } from './honest-players.ts'
import type { HostileOrder, HostileReport } from './run-hostile-clients.ts'

const USAGE = `npm run test:clients -- [--silent N] [--others N] [--rounds N] [--seconds N]

  --silent N   connections that say nothing, 0 to 12000 (10000)
  --others N   connections of every other kind, 0 to 400 (50)
  --rounds N   how often a round without them and one with them follow each other (3)
  --seconds N  how long players are measured in each (10)

The server and the clients are processes of their own, and each needs as many open files as there are connections
(ulimit -n). Fails if a player gets no answer, or if the 99th percentile of the players' times is more than three times as
high as without those clients.`

const PLAYERS = 8
const MOST_RATIO = 3

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)

function readOptions() {
  const number = { type: 'string' } as const
  const { values } = parseArgs({
    options: { silent: number, others: number, rounds: number, seconds: number },
  })
  const read = (text: string | undefined, usual: number, most: number): number => {
    const value = Number(text ?? usual)
    return Number.isInteger(value) && value >= 0 && value <= most ? value : NaN
  }
  const options = {
    silent: read(values.silent, 10_000, 12_000),
    others: read(values.others, 50, 400),
    rounds: read(values.rounds, 3, 100),
    seconds: read(values.seconds, 10, 600),
  }
  return Object.values(options).some(Number.isNaN) ? null : options
}

type Options = NonNullable<ReturnType<typeof readOptions>>

/** The hostile clients, in a process of their own. */
function startHostileClients() {
  const child = fork(join(import.meta.dirname, 'run-hostile-clients.ts'), { execArgv: ['--no-warnings'] })
  const send = (order: HostileOrder): void => void child.send(order)
  return {
    start: (url: string, counts: Record<string, number>) => send({ start: { url, counts } }),
    stop: () => send({ stop: true }),
    end: () => child.disconnect(),
    async report(): Promise<HostileReport> {
      const answer = once(child, 'message')
      send({ report: true })
      return ((await answer) as [HostileReport])[0]
    },
  }
}

async function runClients({ silent, others, rounds, seconds }: Options): Promise<void> {
  const stopPostgres = await setup()
  const game = await startFuzzedGame({ limited: true })
  const hostile = startHostileClients()
  const players = new HonestPlayers(game.url, PLAYERS)
  const counts = Object.fromEntries(
    CLIENT_KINDS.map(({ name }) => [name, name === 'silent' ? silent : others]),
  )
  const usual: Served = { tookMs: [], failures: [] }
  const meanwhile: Served = { tookMs: [], failures: [] }
  const add = (to: Served, { tookMs, failures }: Served) => {
    to.tookMs.push(...tookMs)
    to.failures.push(...failures)
  }
  try {
    await players.play(2_000)
    for (let round = 0; round < rounds; round++) {
      add(usual, await players.play(seconds * 1_000))
      hostile.start(game.url, counts)
      await waitFor(
        'all clients',
        async () => ((await hostile.report()).silent?.opened ?? 0) >= silent,
        120_000,
      )
      add(meanwhile, await players.play(seconds * 1_000))
      const { connections, rssBytes } = await game.measure()
      const report = await hostile.report()
      hostile.stop()
      say(`Round ${round + 1}: ${connections} connections, ${Math.round(rssBytes / 2 ** 20)} MiB.`)
      for (const [name, { opened, most, closed, statuses }] of Object.entries(report))
        say(
          `  ${name}: ${opened} opened, ${most} at once, ${closed} closed by the server, answers ${JSON.stringify(statuses)}`,
        )
      await waitFor(
        'the connections to close',
        async () => (await game.measure()).connections <= PLAYERS * 2,
        120_000,
      )
    }
    const { problems } = await game.measure()
    report(usual, meanwhile, problems)
  } finally {
    players.stop()
    hostile.end()
    await game.stop()
    await stopPostgres()
  }
}

function report(usual: Served, meanwhile: Served, problems: readonly string[]): void {
  const describe = ({ tookMs }: Served) => {
    const times = tookMs.toSorted((a, b) => a - b)
    return { median: quantile(times, 0.5), p99: quantile(times, 0.99), worst: times.at(-1) ?? 0 }
  }
  const [before, during] = [describe(usual), describe(meanwhile)]
  const ratio = during.p99 / before.p99
  const line = ({ median, p99, worst }: typeof before) =>
    `median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, worst ${worst.toFixed(1)} ms`
  say(`Players without them: ${usual.tookMs.length} answers, ${line(before)}.`)
  say(`Players with them: ${meanwhile.tookMs.length} answers, ${line(during)}.`)
  say(
    `The p99 is ${ratio.toFixed(2)} times as high; ${usual.failures.length + meanwhile.failures.length} requests of players failed.`,
  )
  for (const each of [...usual.failures, ...meanwhile.failures, ...problems].slice(0, 10)) say(`  ${each}`)
  const failed = usual.failures.length + meanwhile.failures.length + problems.length > 0
  if (failed || ratio > MOST_RATIO) process.exitCode = 1
}

const options = readOptions()
if (options) await runClients(options)
else {
  process.stderr.write(`${USAGE}\n`)
  process.exitCode = 2
}
