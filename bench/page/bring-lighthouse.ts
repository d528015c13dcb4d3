import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const VERSION = '13.5.0'
const FOLDER = join(import.meta.dirname, '../../.build/bench/lighthouse')

/** The parts of a report that this suite reads. Numbers are ms, except the layout shift, which is a score. */
type Report = {
  lhr: {
    categories: Record<string, { score: number | null }>
    audits: Record<string, { numericValue?: number }>
    runtimeError?: { message: string }
    /** The speed of the machine during the run. An idle desktop has 1,500 or more. */
    environment: { benchmarkIndex: number }
  }
}

export type Lighthouse = (
  url: string,
  flags: {
    port: number
    logLevel: 'error'
    onlyCategories: string[]
    /** Merged with the preset's. */
    throttling: { cpuSlowdownMultiplier: number }
  },
) => Promise<Report>

/** Loads Lighthouse. It is large and only needed here, so it is installed into the build folder on first use. */
export async function bringLighthouse(say: (line: string) => void): Promise<Lighthouse> {
  if (!isThere()) {
    say(`Installing Lighthouse ${VERSION} (half a minute) …`)
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(join(FOLDER, 'package.json'), '{ "private": true }\n')
    const { status } = spawnSync(
      'npm',
      [
        'install',
        '--no-save',
        '--ignore-scripts',
        '--no-fund',
        '--no-audit',
        '--loglevel=error',
        `lighthouse@${VERSION}`,
      ],
      { cwd: FOLDER, stdio: 'inherit', shell: process.platform === 'win32' },
    )
    if (status !== 0) throw new Error('Lighthouse could not be installed: see above.')
  }
  const entry = createRequire(join(FOLDER, 'package.json')).resolve('lighthouse')
  return ((await import(pathToFileURL(entry).href)) as { default: Lighthouse }).default
}

function isThere(): boolean {
  const file = join(FOLDER, 'node_modules/lighthouse/package.json')
  return (
    existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version === VERSION
  )
}
