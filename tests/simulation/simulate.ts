import { startTestPostgres } from '#tests/support/test-postgres.ts'
import { takeOverAmbient } from './ambient.ts'
import { prepareGround } from './ground.ts'
import { brokenEdits, registerEditions } from './load-product.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { conclude, type Report, say, since } from './report.ts'
import { hunt, runSeeds } from './run-seeds.ts'
import { SHARE, shareOut } from './share-out.ts'

/** Runs what was asked for, alone or with others; false where it found what it looks for. */
async function simulate(options: Options): Promise<boolean> {
  const broken = brokenEdits()
  for (const each of broken) say(`An edit fits no more: ${each}`)
  if (broken.length > 0) return false
  const startedAt = performance.now()
  const postgres = process.env.TEST_POSTGRES === undefined ? await startTestPostgres() : null
  try {
    const report = options.jobs > 1 ? await shareOut(options) : await work(options)
    const isWell = conclude(report, options)
    say(`${options.jobs} processes, ${since(startedAt)}`)
    return isWell
  } finally {
    await postgres?.stop()
  }
}

async function work(options: Options): Promise<Report> {
  registerEditions()
  takeOverAmbient()
  const ground = await prepareGround()
  try {
    return await (options.mutants.length > 0 ? hunt(ground, options) : runSeeds(ground, options))
  } finally {
    await ground.close()
  }
}

const share = process.env[SHARE]
const options = share === undefined ? readOptions(process.argv.slice(2)) : (JSON.parse(share) as Options)
if ('problem' in options) {
  process.stderr.write(`${options.problem}\n\n${USAGE}\n`)
  process.exit(2)
}
if (share === undefined) process.exitCode = (await simulate(options)) ? 0 : 1
else {
  process.send!(await work(options))
  process.disconnect()
}
