import { parseArgs } from 'node:util'
import { freshDatabase } from '#tests/support/database.ts'
import { startTestPostgres } from '#tests/support/test-postgres.ts'
import { isWell, tell, torture } from './torture-run.ts'

const USAGE = `npm run torture -- [--minutes M] [--seed S]

  --minutes M   how long, 0.1 to 600 (3)
  --seed S      what is asked for, by whom, and when something is killed (1)`

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } })
const [minutes, seed] = [Number(values.minutes ?? 3), Number(values.seed ?? 1)]
if (!(minutes >= 0.1 && minutes <= 600) || !Number.isSafeInteger(seed) || seed < 0) {
  process.stderr.write(`${USAGE}\n`)
  process.exit(2)
}

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)
const postgres = await startTestPostgres()
try {
  const database = await freshDatabase()
  say(`Seed ${seed}, ${minutes} minutes.`)
  const verdict = await torture(database, { seed, forMs: minutes * 60_000, crashes: true, say })
  for (const line of tell(verdict)) say(line)
  process.exitCode = isWell(verdict) ? 0 : 1
} finally {
  await postgres.stop()
}
