import { startTestPostgres } from '#tests/support/test-postgres.ts'
import { replaceGlobals } from './replace-globals.ts'
import { prepareEnvironment } from './simulation-environment.ts'
import { findBrokenEdits, registerEditionHooks } from './load-product.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { rememberPoints } from './remember-points.ts'
import { printReport, type Report, printLine, formatElapsed } from './report.ts'
import { huntMutants, runSeeds } from './run-seeds.ts'
import { SHARE_VARIABLE, runInProcesses } from './run-in-processes.ts'

/** Runs the simulation in child processes. Returns false if it failed. */
async function simulate(options: Options): Promise<boolean> {
  const broken = findBrokenEdits()
  for (const each of broken) printLine(`An edit no longer matches its file: ${each}`)
  if (broken.length > 0) return false
  const startedAt = performance.now()
  const postgres = process.env.TEST_POSTGRES === undefined ? await startTestPostgres() : null
  try {
    const report = await runInProcesses(options)
    const passed = printReport(report, options)
    printLine(`${options.jobs} processes, ${formatElapsed(startedAt)}`)
    return passed
  } finally {
    await postgres?.stop()
  }
}

async function runSimulation(options: Options): Promise<Report> {
  registerEditionHooks()
  replaceGlobals()
  rememberPoints()
  const environment = await prepareEnvironment()
  try {
    return await (options.mutants.length > 0
      ? huntMutants(environment, options)
      : runSeeds(environment, options))
  } finally {
    await environment.close()
  }
}

const share = process.env[SHARE_VARIABLE]
const options = share === undefined ? readOptions(process.argv.slice(2)) : (JSON.parse(share) as Options)
if ('problem' in options) {
  process.stderr.write(`${options.problem}\n\n${USAGE}\n`)
  process.exit(2)
}
if (share === undefined) process.exitCode = (await simulate(options)) ? 0 : 1
else {
  const report = await runSimulation(options)
  // The counts of many worlds are a long message.
  process.send!(report, undefined, undefined, () => process.disconnect())
}
