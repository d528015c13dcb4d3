import { expect, test } from 'vitest'
import { landMessages } from './en-land.ts'

test('an area has separators, and a dash if it is unknown', () => {
  expect(landMessages.km2(643_801)).toBe('643,801 km²')
  expect(landMessages.km2(0.44)).toBe('0.44 km²')
  expect(landMessages.km2(Number.NaN)).toBe('– km²')
})

test('land of Antarctica is called a place, because its sectors are no countries', () => {
  const { sub, search, found, notFound, mapHint } = landMessages
  expect([sub('AN'), search('AN'), found(1, 'AN'), found(2, 'AN'), notFound('AN')]).toEqual([
    'Pick a place, plant your flag',
    'Find a place',
    '1 place found',
    '2 places found',
    'No place matches that name.',
  ])
  expect(mapHint('AN')).not.toMatch(/countr/)
  expect([search('EU'), found(2, 'EU')]).toEqual(['Find a country', '2 countries found'])
})
