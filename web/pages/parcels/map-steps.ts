import type { Point } from '#web/art/maps/continent-map.ts'

export type Step = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'

const AHEAD: Readonly<Record<Step, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The weight of a distance to the side, relative to one straight ahead. */
const ASIDE = 2.5

export const isStep = (key: string): key is Step => Object.hasOwn(AHEAD, key)

/** The nearest place in the direction of an arrow key, or the place itself if there is none. */
export function stepOnMap<Place extends { pin: Point }>(
  places: readonly Place[],
  from: Place,
  step: Step,
): Place {
  const [right, down] = AHEAD[step]
  let best = from
  let shortest = Number.POSITIVE_INFINITY
  for (const place of places) {
    const dx = place.pin[0] - from.pin[0]
    const dy = place.pin[1] - from.pin[1]
    const ahead = dx * right + dy * down
    const aside = Math.abs(dx * down + dy * right)
    const distance = ahead + ASIDE * aside
    if (ahead > 0 && distance < shortest) {
      best = place
      shortest = distance
    }
  }
  return best
}
