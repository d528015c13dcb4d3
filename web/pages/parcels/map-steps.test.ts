import { expect, test } from 'vitest'
import type { Point } from '#web/art/maps/continent-map.ts'
import { CONTINENTS } from '#game/continents.ts'
import { loadContinentMap } from '#web/art/maps/load-map.ts'
import { isStep, type Step, stepOnMap } from './map-steps.ts'

const place = (name: string, ...pin: Point) => ({ name, pin })
const middle = place('middle', 100, 100)
const cross = [
  middle,
  place('west', 50, 110),
  place('east', 150, 90),
  place('north', 95, 40),
  place('south', 104, 180),
  place('far east', 300, 100),
]

test('an arrow key goes to the nearest land on its side', () => {
  const at = (step: Step) => stepOnMap(cross, middle, step).name
  expect([at('ArrowLeft'), at('ArrowRight'), at('ArrowUp'), at('ArrowDown')]).toEqual([
    'west',
    'east',
    'north',
    'south',
  ])
  expect(stepOnMap(cross, cross[5]!, 'ArrowRight').name).toBe('far east')
  expect(isStep('Enter')).toBe(false)
})

test('on every continent arrow keys lead from any land to every other (N-07)', async () => {
  const steps: readonly Step[] = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']
  for (const code of CONTINENTS) {
    const { parcels } = await loadContinentMap(code)
    for (const start of parcels) {
      const reached = new Set([start])
      for (const from of reached) for (const step of steps) reached.add(stepOnMap(parcels, from, step))
      const missed = parcels.filter((parcel) => !reached.has(parcel)).map((parcel) => parcel.parcelId)
      expect(missed, `${code} from ${start.parcelId}`).toEqual([])
    }
  }
})
