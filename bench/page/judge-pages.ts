import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { findFreePort } from '#server/processes/ports.ts'
import { type Player, playAs } from '#tests/e2e/funded-player.ts'
import { findChromium } from '../../scripts/find-chromium.mjs'
import { median } from '../statistics.ts'
import type { Lighthouse } from './bring-lighthouse.ts'

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const TIMES = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  TBT: 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
} as const

const MOST_TRIES = 3

/**
 * The speed of the phone, as Lighthouse's benchmark index. Lighthouse slows the machine four times however fast it is.
 * Scaled by its index, machines of different speeds judge the same phone: a quarter of the machine that was measured first.
 */
const PHONE_INDEX = 974

/** Scores from 0 to 100, times in ms, and the layout shift. */
type Figures = Record<(typeof CATEGORIES)[number] | keyof typeof TIMES, number>

/** The medians of all runs of a page, and its lowest performance score. */
export type Judged = Figures & { path: string; lowest: number }

type JudgeOptions = {
  lighthouse: Lighthouse
  game: string
  paths: readonly string[]
  player: Player
  rounds: number
  say: (line: string) => void
}

/**
 * Runs Lighthouse with its default preset (a phone on a slow network) on all pages in turn, round by round, with a
 * logged-in player and an empty cache. Also returns the median benchmark index of the machine.
 */
export async function judgePages(
  options: JudgeOptions,
): Promise<{ pages: Judged[]; benchmarkIndex: number; slowdown: number }> {
  const { lighthouse, game, paths, player, rounds, say } = options
  const port = await findFreePort()
  const folder = mkdtempSync(join(tmpdir(), 'cotton-farm-lighthouse-'))
  // Lighthouse opens its tabs in the browser's profile, so the player logs in there.
  const profile = await chromium.launchPersistentContext(folder, {
    executablePath: await findChromium(),
    args: ['--no-sandbox', `--remote-debugging-port=${port}`],
  })
  try {
    await playAs(profile, player)
    const page = await profile.newPage()
    await page.goto(`${game}/terms`)
    await page.close()

    const runs = new Map<string, Figures[]>(paths.map((path) => [path, []]))
    const warmUp = await judge(lighthouse, { url: `${game}/terms`, port, slowdown: 1 })
    const indexes = [warmUp.environment.benchmarkIndex]
    for (let round = 0; round < rounds; round++) {
      for (const path of paths) {
        const slowdown = slowdownOf(median(indexes))
        const lhr = await judge(lighthouse, { url: `${game}${path}`, port, slowdown })
        const figures = figuresOf(lhr)
        runs.get(path)!.push(figures)
        indexes.push(lhr.environment.benchmarkIndex)
        say(
          `${path}: ${CATEGORIES.map((name) => figures[name]).join(' / ')}, LCP ${Math.round(figures.LCP)} ms, TBT ${Math.round(figures.TBT)} ms`,
        )
      }
    }
    const pages = [...runs].map(([path, all]) => ({
      path,
      ...middleOf(all),
      lowest: Math.min(...all.map(({ performance }) => performance)),
    }))
    const benchmarkIndex = median(indexes)
    return { pages, benchmarkIndex, slowdown: slowdownOf(benchmarkIndex) }
  } finally {
    await profile.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

// A machine that is slower than the phone cannot play it.
const slowdownOf = (benchmarkIndex: number): number =>
  Math.max(1, Math.round((benchmarkIndex / PHONE_INDEX) * 10) / 10)

/** Retries when the browser started the trace too late, as Lighthouse's error message suggests. */
async function judge(
  lighthouse: Lighthouse,
  { url, port, slowdown }: { url: string; port: number; slowdown: number },
): Promise<Report> {
  for (let tries = 1; ; tries++) {
    const { lhr } = await lighthouse(url, {
      port,
      logLevel: 'error',
      onlyCategories: [...CATEGORIES],
      throttling: { cpuSlowdownMultiplier: slowdown },
    })
    if (!lhr.runtimeError) return lhr
    if (tries === MOST_TRIES) throw new Error(`${url}: ${lhr.runtimeError.message}`)
  }
}

type Report = Awaited<ReturnType<Lighthouse>>['lhr']

function figuresOf({ categories, audits }: Report): Figures {
  return Object.fromEntries([
    ...CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)]),
    ...Object.entries(TIMES).map(([name, audit]) => [name, audits[audit]?.numericValue ?? 0]),
  ]) as Figures
}

function middleOf(all: readonly Figures[]): Figures {
  const names = Object.keys(all[0]!) as (keyof Figures)[]
  return Object.fromEntries(names.map((name) => [name, median(all.map((each) => each[name]))])) as Figures
}
