import { parseArgs } from 'node:util'
import { freshDatabase } from '#tests/support/database.ts'
import { startTestPostgres } from '#tests/support/test-postgres.ts'
import { runDrills } from './run-drills.ts'

const USAGE = `npm run test:drills -- [--drills N] [--seed S]

  --drills N   how many backups are taken under load and restored, 1 to 10000 (100)
  --seed S     the seed of the requests (1)`

const { values } = parseArgs({ options: { drills: { type: 'string' }, seed: { type: 'string' } } })
const [drills, seed] = [Number(values.drills ?? 100), Number(values.seed ?? 1)]
if (
  !(Number.isInteger(drills) && drills >= 1 && drills <= 10_000) ||
  !Number.isSafeInteger(seed) ||
  seed < 0
) {
  process.stderr.write(`${USAGE}\n`)
  process.exit(2)
}

/** Each round has a new database, so that the last drill does not restore the load of all before it. */
const DRILLS_PER_ROUND = 10

const log = (sentence: string): void => void process.stdout.write(`${sentence}\n`)
const postgres = await startTestPostgres()
try {
  let passed = 0
  for (let round = 0; passed < drills; round++) {
    const database = await freshDatabase()
    const count = Math.min(DRILLS_PER_ROUND, drills - passed)
    log(`Round ${round + 1}, seed ${seed + round}.`)
    const { faults } = await runDrills(database, { seed: seed + round, count, log })
    await database.drop()
    for (const fault of faults.slice(0, 20)) log(fault)
    if (faults.length > 0) break
    passed += count
  }
  log(`${passed} of ${drills} drills passed.`)
  process.exitCode = passed === drills ? 0 : 1
} finally {
  await postgres.stop()
}
