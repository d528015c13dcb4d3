import { parseArgs } from 'node:util'
import { freshDatabase } from '#tests/support/database.ts'
import { startTestPostgres } from '#tests/support/test-postgres.ts'
import { hasPassed, formatVerdict, runTorture } from './run-torture.ts'

const USAGE = `npm run test:torture -- [--minutes M] [--seed S]

  --minutes M   the duration, 0.1 to 600 (3)
  --seed S      the seed of the requests and of the times at which backends are killed (1)`

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } })
const [minutes, seed] = [Number(values.minutes ?? 3), Number(values.seed ?? 1)]
if (!(minutes >= 0.1 && minutes <= 600) || !Number.isSafeInteger(seed) || seed < 0) {
  process.stderr.write(`${USAGE}\n`)
  process.exit(2)
}

const log = (sentence: string): void => void process.stdout.write(`${sentence}\n`)
const postgres = await startTestPostgres()
try {
  const database = await freshDatabase()
  log(`Seed ${seed}, ${minutes} minutes.`)
  const verdict = await runTorture(database, { seed, durationMs: minutes * 60_000, crashes: true, log })
  for (const line of formatVerdict(verdict)) log(line)
  process.exitCode = hasPassed(verdict, { crashes: true }) ? 0 : 1
} finally {
  await postgres.stop()
}
