import type { WorkerType } from '#game/workers.ts'
import coin from '#web/art/coin.svg'
import { workerArt } from '#web/art/worker-art.ts'
import { paths } from '#web/paths.ts'
import { prefersReducedMotion } from '#web/ui/reduced-motion.ts'
import { bounce, type Flight, fly } from '#web/ui/flight.ts'

const COINS = 7
const COIN_MS = 620
const COIN_GAP_MS = 55
const WALK_MS = 1_250
const HOPS = 4
const FARM_ICON_PX = 34

/**
 * Coins leave the balance for the figure, and the figure hops to the link to the farm. Everything moves in a layer above
 * the page, dialogs included. Nothing moves for players who prefer reduced motion, or while the page is hidden.
 */
export function animateHire(type: WorkerType): void {
  if (prefersReducedMotion() || document.hidden) return
  const figure = findVisible(`[data-figure="${type}"]`).at(-1)
  if (!figure) return
  const from = figure.getBoundingClientRect()
  const flights: Flight[] = []
  const balance = findVisible('[data-balance]')[0]
  if (balance) flights.push(...payCoins(balance.getBoundingClientRect(), from))
  const farm = findFarmLink()
  flights.push({
    picture: workerArt[type].figure,
    from,
    to: farm ? centreOf(farm, FARM_ICON_PX, (FARM_ICON_PX * from.height) / from.width) : upwards(from),
    hops: HOPS,
    hopPx: 70,
    durationMs: WALK_MS,
    delayMs: balance ? COIN_MS * 0.6 : 0,
  })
  fly(flights)
  bounce(figure, COIN_MS + COIN_GAP_MS * COINS)
  if (farm) bounce(farm.querySelector('img, svg') ?? farm, WALK_MS + COIN_MS * 0.6)
}

function payCoins(balance: DOMRect, figure: DOMRect): Flight[] {
  const size = 30
  const start = new DOMRect(balance.left, balance.top + balance.height / 2 - size / 2, size, size)
  const x = figure.left + figure.width / 2
  const y = figure.top + figure.height * 0.6
  return Array.from({ length: COINS }, (_, index) => {
    const spread = (index - (COINS - 1) / 2) * 12
    return {
      picture: coin,
      from: start,
      to: new DOMRect(x + spread - size / 2, y - size / 2, size, size),
      hops: 1,
      hopPx: 90 + (index % 3) * 26,
      durationMs: COIN_MS,
      delayMs: index * COIN_GAP_MS,
    }
  })
}

/** The link to the farm in the menu or tab bar, or else any in sight. */
function findFarmLink(): Element | undefined {
  const link = `a[href="${paths.myFarm}"]`
  return findVisible(`nav ${link}`)[0] ?? findVisible(link)[0]
}

function findVisible(selector: string): Element[] {
  return [...document.querySelectorAll(selector)].filter((element) => {
    const { top, bottom, left, right, width } = element.getBoundingClientRect()
    const inWindow = bottom > 0 && right > 0 && top < window.innerHeight && left < window.innerWidth
    return width > 0 && inWindow && element.checkVisibility({ visibilityProperty: true })
  })
}

function centreOf(element: Element, width: number, height: number): DOMRect {
  const box = (element.querySelector('img, svg') ?? element).getBoundingClientRect()
  return new DOMRect(
    box.left + box.width / 2 - width / 2,
    box.top + box.height / 2 - height / 2,
    width,
    height,
  )
}

/** Where a figure hops if no link to the farm is in sight. */
const upwards = ({ left, top, width, height }: DOMRect): DOMRect =>
  new DOMRect(left + width * 0.3, top - height * 0.5, width * 0.4, height * 0.4)
