import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setup } from '#tests/support/global-setup.ts'
import { fuzzChain } from './fuzz-chain.ts'
import { fuzzDeposits } from './fuzz-deposits.ts'
import { fuzzFiles } from './fuzz-files.ts'
import { fuzzHttp, type FuzzReport } from './fuzz-http.ts'
import { FUZZ_MUTANTS } from './fuzz-mutants.ts'
import { fuzzRawHttp } from './fuzz-raw-http.ts'
import { fuzzReceivedFrames } from './fuzz-received-frames.ts'
import { fuzzRpc } from './fuzz-rpc.ts'
import { fuzzSockets } from './fuzz-sockets.ts'
import { type FuzzedGame, startFuzzedGame } from './fuzzed-game.ts'

const USAGE = `npm run test:fuzz -- [--requests N] [--frames N] [--received N] [--calls N] [--answers N]
  [--raw N] [--deposits N]
  [--files N] [--seed S] [--mutant M]

  --requests N  HTTP requests to all routes of the game and of the console (100000)
  --frames N    frames that the server's WebSockets receive (1000000)
  --received N  frames that the web app receives (1000000)
  --calls N     JSON-RPC calls to the local chain (20000)
  --answers N   answers of a Solana node with one value changed (20000)
  --raw N       connections with bytes that are no HTTP, to game, console and local chain (60000)
  --deposits N  deposits that are credited while the answers of a node are damaged (600)
  --files N     files and settings of an operator (20000)
  --seed S      the seed (1)
  --mutant M    the game has this fault: ${Object.keys(FUZZ_MUTANTS).join(', ')}

0 leaves a part out. The first fault of each route is printed as the smallest request that has it.`

const DEFAULTS = {
  requests: 100_000,
  frames: 1_000_000,
  received: 1_000_000,
  calls: 20_000,
  answers: 20_000,
  raw: 60_000,
  deposits: 600,
  files: 20_000,
  seed: 1,
}

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)

type Options = typeof DEFAULTS & { mutant: string }

function readOptions(): Options | null {
  const names = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]
  const options = [...names, 'mutant'].map((name) => [name, { type: 'string' as const }])
  const { values } = parseArgs({ options: Object.fromEntries(options) as Record<string, { type: 'string' }> })
  const read = { ...DEFAULTS, mutant: values.mutant ?? '' }
  for (const name of names) read[name] = Number(values[name] ?? DEFAULTS[name])
  if (read.mutant !== '' && !Object.hasOwn(FUZZ_MUTANTS, read.mutant)) return null
  return names.every((name) => Number.isSafeInteger(read[name]) && read[name] >= 0) ? read : null
}

async function fuzz(options: Options): Promise<void> {
  const { requests, frames, received, calls, answers, raw, deposits, files, seed, mutant } = options
  const reports: FuzzReport[] = []
  const stop = await setup()
  const inGame = async (run: (game: FuzzedGame) => Promise<FuzzReport>): Promise<void> => {
    const game = await startFuzzedGame({ edits: FUZZ_MUTANTS[mutant] ?? [] })
    try {
      reports.push(await run(game))
    } finally {
      await game.stop()
    }
  }
  try {
    if (files > 0) reports.push(fuzzFiles({ files, seed }))
    if (answers > 0) reports.push(await fuzzChain({ answers, seed }))
    if (deposits > 0) reports.push(await fuzzDeposits({ deposits, seed }))
    if (calls > 0) await inGame((game) => fuzzRpc(game, { calls, seed }))
    if (raw > 0) await inGame((game) => fuzzRawHttp(game, { connections: raw, seed }))
    if (requests > 0) await inGame((game) => fuzzHttp(game, { requests, seed, say }))
    if (frames > 0) await inGame((game) => fuzzSockets(game, { frames, seed, say }))
    // The last, because it replaces globals.
    if (received > 0) reports.push(fuzzReceivedFrames({ frames: received, seed }))
  } finally {
    await stop()
  }
  for (const { name, counts, findings } of reports) {
    const shown = Object.entries(counts).map(([what, count]) => `${what} ${count}`)
    say(`${name}: ${shown.join(', ')}; ${findings.length} findings`)
    for (const each of findings) say(`  ${each}`)
  }
  if (reports.some(({ findings }) => findings.length > 0)) process.exitCode = 1
}

/** The same command in a process that loads the product with a mutant, for the parts that need no game. */
async function fuzzMutant({ mutant }: Options): Promise<void> {
  const hook = join(import.meta.dirname, '../cluster/load-mutant.ts')
  const child = fork(import.meta.filename, process.argv.slice(2), {
    execArgv: [`--import=${hook}`, '--no-warnings'],
    env: { ...process.env, PRODUCT_EDITS: JSON.stringify(FUZZ_MUTANTS[mutant]) },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  process.exitCode = code ?? 1
}

const options = readOptions()
if (options) await (options.mutant && !process.env.PRODUCT_EDITS ? fuzzMutant(options) : fuzz(options))
else {
  process.stderr.write(`${USAGE}\n`)
  process.exitCode = 2
}
