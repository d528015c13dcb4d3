import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { Options } from './options.ts'
import { type Report, mergeReports } from './report.ts'

/** The environment variable with the options of a child process. */
export const SHARE_VARIABLE = 'SIMULATION_SHARE'

/** Splits the work between several processes and returns the merged report. */
export async function runInProcesses(options: Options): Promise<Report> {
  const shares = splitOptions(options)
  return mergeReports(await Promise.all(shares.map(forkShare)))
}

function splitOptions({ jobs, ...options }: Options): Options[] {
  const every = Array.from({ length: jobs }, (_, job) => job)
  const first = (job: number): number => Math.floor((options.seeds * job) / jobs)
  const shares =
    options.mutants.length > 0
      ? every.map((job) => ({ ...options, mutants: options.mutants.filter((_, at) => at % jobs === job) }))
      : every.map((job) => ({
          ...options,
          seed: options.seed + first(job),
          seeds: first(job + 1) - first(job),
          also: options.also.filter((_, at) => at % jobs === job),
        }))
  const isWork = (share: (typeof shares)[number]): boolean =>
    options.mutants.length > 0 ? share.mutants.length > 0 : share.seeds > 0
  return shares.filter(isWork).map((share) => ({ ...share, jobs: 1 }))
}

function forkShare(share: Options): Promise<Report> {
  const env = { ...process.env, [SHARE_VARIABLE]: JSON.stringify(share) }
  const child = fork(join(import.meta.dirname, 'simulate.ts'), [], { env })
  return new Promise((resolve, reject) => {
    child.once('message', (report) => resolve(report as Report))
    child.once('error', reject)
    child.once('close', () => reject(new Error('a child process of the simulation ended without a report')))
  })
}
