import { chromium, type Browser } from '@playwright/test'
import { CONTINENTS } from '#game/continents.ts'
import { findRunningPostgres } from '#server/processes/postgres/postgres.ts'
import {
  sumBytes,
  measureFirstLoad,
  type FirstLoad,
  type ResourceKind,
  RESOURCE_KINDS,
} from '#tests/e2e/measure-first-load.ts'
import { createFundedPlayer, playAs, type Player } from '#tests/e2e/funded-player.ts'
import { makeDataDir, runServer } from '#tests/support/run-server.ts'
import { findChromium } from '../../scripts/find-chromium.mjs'
import { bringLighthouse } from '../page/bring-lighthouse.ts'
import { type Judged, judgePages } from '../page/judge-pages.ts'
import { type MainThread, timeMainThread } from '../page/time-main-thread.ts'
import { runAsOwner } from '../seed-players.ts'
import { type Run, type Measured, suiteOf, type Table } from '../suite.ts'

// The player's own pages need a session.
const PLAYERS_PAGES = ['/myfarm', '/profile']
const PAGES = [
  '/',
  '/buy-pickers',
  ...PLAYERS_PAGES,
  '/parcels',
  ...CONTINENTS.map((code) => `/parcels/${code}`),
]
const JUDGED = ['/', '/buy-pickers', '/myfarm', '/parcels/EU']
const WINDOW = { width: 1440, height: 900 }
const WORKERS = 10_000

const TITLES: Record<ResourceKind, string> = {
  js: 'JS',
  maps: 'maps',
  css: 'CSS',
  art: 'art',
  fonts: 'fonts',
  data: 'data',
  page: 'HTML',
}

/** What the pages cost: bytes and requests, Lighthouse's judgement, and the main thread while the farm ticks. */
export const page = suiteOf('Pages: first load, Lighthouse, and the ticking farm', measure)

async function measure(course: Run): Promise<Measured> {
  const { quick, say, closers } = course
  const lighthouse = await bringLighthouse(say)
  const { dataDir, remove } = makeDataDir()
  closers.push(remove)
  const server = runServer({ dataDir, command: ['npm', 'start'] })
  closers.push(async () => {
    server.pressCtrlC()
    await server.ended
  })
  const game = await server.ready
  process.env.GAME_URL = game
  const player = await createFundedPlayer(0)

  const rounds = quick ? 1 : 5
  const judged = await judgePages({ lighthouse, game, paths: JUDGED, player, rounds, say })
  const browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox'] })
  closers.push(() => browser.close())
  const loads = await firstLoads(browser, { game, player, quick, say })
  const threads = await mainThreads(browser, { game, dataDir, quick })
  return {
    ...bytesTable(loads),
    more: [judgedTable(judged.pages), threadTable(threads)],
    facts: {
      'Window of the first loads': `${WINDOW.width} × ${WINDOW.height}, Chromium ${browser.version()}`,
      'Runs of Lighthouse per page': rounds,
      'Lighthouse’s benchmark index of this machine': Math.round(judged.benchmarkIndex),
      'Slowdown of its processor, so that it is the same phone on every machine': judged.slowdown,
    },
  }
}

type Loads = [path: string, load: FirstLoad][]

async function firstLoads(
  browser: Browser,
  { game, player, quick, say }: { game: string; player: Player; quick: boolean; say: Run['say'] },
): Promise<Loads> {
  const seen: Loads = []
  for (const path of quick ? ['/', '/parcels', '/parcels/EU'] : PAGES) {
    const context = await browser.newContext({ viewport: WINDOW, reducedMotion: 'reduce' })
    const isVisitor = !PLAYERS_PAGES.includes(path)
    if (!isVisitor) await playAs(context, player)
    const load = await measureFirstLoad(await context.newPage(), `${game}${path}`, isVisitor)
    await context.close()
    seen.push([path, load])
    say(`${path}: ${load.requests} requests, ${kb(sumBytes(load).br)} kB`)
  }
  return seen
}

type Threads = [what: string, thread: MainThread][]

/** Measures in turn an idle page, a small farm, and a farm with 10,000 workers. */
async function mainThreads(
  browser: Browser,
  { game, dataDir, quick }: { game: string; dataDir: string; quick: boolean },
): Promise<Threads> {
  const owner = findRunningPostgres(dataDir)
  if (!owner) throw new Error('The database of the started game is not to be found.')
  const [few, many] = await Promise.all([createFundedPlayer(0), createFundedPlayer(0)])
  await runAsOwner(owner, [hire(few.address, 4), hire(many.address, WORKERS)])
  const forMs = quick ? 5_000 : 20_000
  const time = (path: string, player: Player) =>
    timeMainThread(browser, { url: `${game}${path}`, player, forMs })
  return [
    ['/terms, where nothing happens', await time('/terms', few)],
    ['/myfarm with 4 workers', await time('/myfarm', few)],
    [`/myfarm with ${WORKERS} workers`, await time('/myfarm', many)],
    [`/owned-workers with ${WORKERS} workers`, await time('/owned-workers', many)],
  ]
}

/** Workers of all types, each hired at a different instant. */
const hire = (wallet: string, count: number): string =>
  `insert into workers (wallet, worker_id, worker_type, rate_per_hour, since, purchased_at)
   select '${wallet}', (array['kid', 'grandma', 'grandad', 'bigman'])[1 + n % 4] || '-' || lpad(n::text, 5, '0'),
     (array['kid', 'grandma', 'grandad', 'bigman'])[1 + n % 4], (array[5000, 13000, 40000, 100000])[1 + n % 4],
     now() - n * interval '37 ms', now() - n * interval '37 ms'
   from generate_series(1, ${count}) as n`

function bytesTable(loads: Loads): Table {
  return {
    columns: ['page', 'requests', 'all', ...RESOURCE_KINDS.map((kind) => TITLES[kind]), 'layout shift'],
    rows: loads.map(([path, load]) => [
      path,
      load.requests,
      both(sumBytes(load)),
      ...RESOURCE_KINDS.map((kind) => both(load.bytes[kind])),
      load.cls.toFixed(3),
    ]),
  }
}

function judgedTable(pages: readonly Judged[]): Table & { title: string } {
  return {
    title: 'Lighthouse, phone preset, medians; in brackets the lowest run:',
    columns: [
      'page',
      'performance',
      'accessibility',
      'best practices',
      'SEO',
      'FCP ms',
      'LCP ms',
      'TBT ms',
      'CLS',
    ],
    rows: pages.map((each) => [
      each.path,
      `${each.performance} (${each.lowest})`,
      each.accessibility,
      each['best-practices'],
      each.seo,
      Math.round(each.FCP),
      Math.round(each.LCP),
      Math.round(each.TBT),
      each.CLS.toFixed(3),
    ]),
  }
}

function threadTable(threads: Threads): Table & { title: string } {
  return {
    title: 'The main thread of a phone’s window while nobody touches it, in time of the processor:',
    columns: ['page', 'ms per second', 'longest task ms', 'tasks'],
    rows: threads.map(([what, { msPerSecond, longestMs, tasks }]) => [
      what,
      msPerSecond.toFixed(1),
      longestMs.toFixed(1),
      tasks,
    ]),
  }
}

const kb = (bytes: number): string => (bytes / 1000).toFixed(1)

/** gzip and Brotli, or one figure where they are the same. */
function both({ gzip, br }: { gzip: number; br: number }): string {
  return gzip === br ? kb(br) : `${kb(gzip)} / ${kb(br)}`
}
