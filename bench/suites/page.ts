import { chromium } from '@playwright/test'
import { CONTINENTS } from '#game/continents.ts'
import { bytesOf, firstLoad, type FirstLoad, type Kind, KINDS } from '#tests/e2e/first-load.ts'
import { fundedPlayer, playAs } from '#tests/e2e/funded-player.ts'
import { makeDataDir, runServer } from '#tests/support/run-server.ts'
import { findChromium } from '../../scripts/find-chromium.mjs'
import { type Course, type Measured, suiteOf } from '../suite.ts'

// A player's own pages are seen by somebody who is logged in.
const PLAYERS_PAGES = ['/myfarm', '/profile']
const PAGES = [
  '/',
  '/buy-pickers',
  ...PLAYERS_PAGES,
  '/parcels',
  ...CONTINENTS.map((code) => `/parcels/${code}`),
]
const WINDOW = { width: 1440, height: 900 }

const TITLES: Record<Kind, string> = {
  js: 'JS',
  maps: 'maps',
  css: 'CSS',
  art: 'art',
  fonts: 'fonts',
  data: 'data',
  page: 'HTML',
}

/** What the first load of each page brings over the wire; there is no clock in it. */
export const page = suiteOf('First load of each page, in bytes and requests', measure)

async function measure({ quick, say, closers }: Course): Promise<Measured> {
  const { dataDir, remove } = makeDataDir()
  closers.push(remove)
  const game = runServer({ dataDir, command: ['npm', 'start'] })
  closers.push(async () => {
    game.pressCtrlC()
    await game.ended
  })
  const url = await game.ready
  process.env.GAME_URL = url
  const player = await fundedPlayer(0)
  const browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox'] })
  closers.push(() => browser.close())
  const seen: [string, FirstLoad][] = []
  for (const path of quick ? ['/', '/parcels', '/parcels/EU'] : PAGES) {
    const context = await browser.newContext({ viewport: WINDOW, reducedMotion: 'reduce' })
    if (PLAYERS_PAGES.includes(path)) await playAs(context, player)
    const load = await firstLoad(await context.newPage(), `${url}${path}`)
    await context.close()
    seen.push([path, load])
    say(`${path}: ${load.requests} requests, ${kb(bytesOf(load).br)} kB`)
  }
  return {
    columns: ['page', 'requests', 'all', ...KINDS.map((kind) => TITLES[kind]), 'layout shift'],
    rows: seen.map(([path, load]) => [
      path,
      load.requests,
      both(bytesOf(load)),
      ...KINDS.map((kind) => both(load.bytes[kind])),
      load.cls.toFixed(3),
    ]),
    facts: { Window: `${WINDOW.width} × ${WINDOW.height}, Chromium ${browser.version()}` },
  }
}

const kb = (bytes: number): string => (bytes / 1000).toFixed(1)

/** gzip and Brotli, or one figure where they are the same. */
function both({ gzip, br }: { gzip: number; br: number }): string {
  return gzip === br ? kb(br) : `${kb(gzip)} / ${kb(br)}`
}
