import { fork } from 'node:child_process'
import { join } from 'node:path'
import { type Options, splitOptions } from './options.ts'
import { type Report, mergeReports } from './report.ts'

/** The environment variable with the options of a child process. */
export const SHARE_VARIABLE = 'SIMULATION_SHARE'

const NODE_OPTIONS = ['--no-deprecation', '--import', join(import.meta.dirname, 'remember-base58.ts')]

/** Splits the work between processes and returns the merged report. */
export async function runInProcesses(options: Options): Promise<Report> {
  const shares = splitOptions(options)
  return mergeReports(await Promise.all(shares.map(forkShare)))
}

function forkShare(share: Options): Promise<Report> {
  const env = { ...process.env, [SHARE_VARIABLE]: JSON.stringify(share) }
  const child = fork(join(import.meta.dirname, 'simulate.ts'), [], { env, execArgv: NODE_OPTIONS })
  return new Promise((resolve, reject) => {
    child.once('message', (report) => resolve(report as Report))
    child.once('error', reject)
    child.once('close', () => reject(new Error('a child process of the simulation ended without a report')))
  })
}
