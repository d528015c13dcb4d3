import styles from './flight.module.css'

/** An image that moves from one place of the window to another, in hops. */
export type Flight = {
  picture: string
  from: DOMRect
  to: DOMRect
  hops: number
  /** The height of a hop. */
  hopPx: number
  durationMs: number
  delayMs: number
}

const STEPS_PER_HOP = 8

/** Moves the images in a layer above everything, which ends with the last of them. Only transform and opacity change. */
export function fly(flights: readonly Flight[]): void {
  const layer = document.createElement('div')
  layer.className = styles.layer ?? ''
  layer.ariaHidden = 'true'
  layer.dataset.flights = ''
  // A popover is in the top layer, above an open dialog.
  layer.popover = 'manual'
  document.body.append(layer)
  layer.showPopover()
  const ends = flights.map((flight) => start(layer, flight).finished)
  void Promise.allSettled(ends).then(() => layer.remove())
}

function start(layer: Element, flight: Flight): Animation {
  const { picture, from, durationMs, delayMs } = flight
  const image = document.createElement('img')
  image.src = picture
  image.alt = ''
  Object.assign(image.style, {
    left: `${from.left}px`,
    top: `${from.top}px`,
    width: `${from.width}px`,
    height: `${from.height}px`,
  })
  layer.append(image)
  const timing = { duration: durationMs, delay: delayMs, easing: 'ease-in-out', fill: 'both' } as const
  return image.animate(keyframesOf(flight), timing)
}

function keyframesOf({ from, to, hops, hopPx }: Flight): Keyframe[] {
  const steps = hops * STEPS_PER_HOP
  // The origin of the transform is the middle of the lower edge: where a figure stands.
  const dx = to.left + to.width / 2 - (from.left + from.width / 2)
  const dy = to.bottom - from.bottom
  return Array.from({ length: steps + 1 }, (_, step) => {
    const t = step / steps
    const inHop = (step % STEPS_PER_HOP) / STEPS_PER_HOP
    const height = Math.sin(inHop * Math.PI) * hopPx * (1 - t * 0.45)
    const scale = 1 + (to.width / from.width - 1) * t
    const squash = hops > 1 && inHop === 0 && step > 0 && step < steps ? 0.9 : 1
    return {
      transform: `translate(${dx * t}px, ${dy * t - height}px) scale(${scale * (2 - squash)}, ${scale * squash})`,
      opacity: t < 0.9 ? 1 : 1 - (t - 0.9) * 8,
    }
  })
}

/** A short bounce of something that was there before, for example where a flight ends. */
export function bounce(element: Element, delayMs: number): void {
  element.animate(
    [{ scale: '1' }, { scale: '1.28 0.86' }, { scale: '0.92 1.14' }, { scale: '1.05 0.97' }, { scale: '1' }],
    { duration: 420, delay: delayMs, easing: 'ease-out' },
  )
}
