import type { Browser } from '@playwright/test'
import { type Player, playAs } from '#tests/e2e/funded-player.ts'

/** The work of a page's main thread without any input. */
export type MainThread = { msPerSecond: number; longestMs: number; tasks: number }

type Event = {
  name: string
  ph: string
  pid: number
  tid: number
  dur?: number
  tdur?: number
  args: { name?: string }
}

// Longer than a celebration is shown.
const SETTLE_MS = 9_000

/** Opens a page as a player, waits until it is idle, and traces it for this long. Times are CPU time. */
export async function timeMainThread(
  browser: Browser,
  { url, player, forMs }: { url: string; player: Player; forMs: number },
): Promise<MainThread> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true })
  try {
    await playAs(context, player)
    const page = await context.newPage()
    await page.goto(url, { waitUntil: 'networkidle' })
    await page.waitForTimeout(SETTLE_MS)
    await browser.startTracing(page, { categories: ['toplevel'] })
    await page.waitForTimeout(forMs)
    const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: Event[] }
    return sumOf(trace.traceEvents, forMs)
  } finally {
    await context.close()
  }
}

function sumOf(events: readonly Event[], forMs: number): MainThread {
  const threadOf = ({ pid, tid }: Event) => `${pid} ${tid}`
  const mains = new Set(
    events
      .filter((event) => event.name === 'thread_name' && event.args.name === 'CrRendererMain')
      .map(threadOf),
  )
  const tasks = events.filter(
    (event) =>
      event.ph === 'X' && event.name === 'ThreadControllerImpl::RunTask' && mains.has(threadOf(event)),
  )
  const ms = tasks.map(({ tdur, dur = 0 }) => (tdur ?? dur) / 1_000)
  return {
    msPerSecond: (ms.reduce((sum, each) => sum + each, 0) / forMs) * 1_000,
    longestMs: Math.max(0, ...ms),
    tasks: tasks.length,
  }
}
