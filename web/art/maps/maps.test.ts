import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { CONTINENTS } from '#game/continents.ts'
import { PARCELS } from '#game/world.ts'
import { flagUrl } from '../flags/flag-url.ts'
import type { ContinentMap, Point } from './continent-map.ts'
import { loadContinentMap, loadWorldMap } from './load-map.ts'

const WITHOUT_OUTLINE = 'RE YT BV GS CC CX GI SJ XK BQ GP MQ PN TK TV UM GF'.split(' ')
const PIN_RADIUS = 8
const MOST_BYTES = 39_000

const maps = await Promise.all(CONTINENTS.map(loadContinentMap))

const numbers = (text: string): number[] => (text.match(/-?(\d+\.?\d*|\.\d+)/g) ?? []).map(Number)

/** Every corner of a path of absolute `M` and relative `l`. */
function cornersOf(d: string): Point[] {
  return [...d.matchAll(/M([^l]*)l([^z]*)z/g)].flatMap(([, start = '', steps = '']) => {
    let [x = NaN, y = NaN] = numbers(start)
    const walk = numbers(steps)
    const corners: Point[] = [[x, y]]
    for (let at = 0; at < walk.length; at += 2) {
      x += walk[at] ?? NaN
      y += walk[at + 1] ?? NaN
      corners.push([x, y])
    }
    return corners
  })
}

const isWithin = ([x, y]: Point, [west, north, east, south]: number[]): boolean =>
  x >= west! && x <= east! && y >= north! && y <= south!

const pinsOf = (map: ContinentMap) => map.parcels.filter((parcel) => parcel.small)

test('every parcel of the world is on the map of its continent, once', () => {
  for (const [at, map] of maps.entries()) {
    expect(map.code).toBe(CONTINENTS[at])
    const wanted = PARCELS.filter((parcel) => parcel.regionId === map.code).map((parcel) => parcel.parcelId)
    expect(map.parcels.map((parcel) => parcel.parcelId)).toEqual(wanted)
  }
})

test('exactly the 17 codes without an outline have none, and a pin instead', () => {
  const bare = maps.flatMap((map) => map.parcels).filter((parcel) => parcel.shape === null)
  expect(bare.map((parcel) => parcel.parcelId.slice(3)).toSorted()).toEqual(WITHOUT_OUTLINE.toSorted())
  for (const parcel of bare) expect(parcel).toMatchObject({ d: null, small: true })
})

test('land without an outline has a pin, and every pin fits in the frame', () => {
  for (const { viewBox, parcels } of maps) {
    const [left, top, width, height] = viewBox
    const frame = [left + PIN_RADIUS, top + PIN_RADIUS, width - PIN_RADIUS, height - PIN_RADIUS]
    for (const parcel of parcels) {
      expect(parcel.d !== null || parcel.small, parcel.parcelId).toBe(true)
      expect(isWithin(parcel.pin, frame), `${parcel.parcelId} ${parcel.pin}`).toBe(true)
    }
  }
})

test('no pin covers another', () => {
  for (const map of maps) {
    const pins = pinsOf(map)
    for (const [at, one] of pins.entries()) {
      for (const other of pins.slice(at + 1)) {
        const apart = Math.hypot(one.pin[0] - other.pin[0], one.pin[1] - other.pin[1])
        expect(apart, `${one.parcelId} ${other.parcelId}`).toBeGreaterThan(2 * PIN_RADIUS)
      }
    }
  }
})

test('outlines are whole and stay near the frame; shapes stay on their card', () => {
  for (const { parcels } of maps) {
    for (const { parcelId, d, shape } of parcels) {
      for (const corner of cornersOf(d ?? '')) expect(isWithin(corner, [-31, -31, 1031, 671]), parcelId).toBe(true)
      for (const corner of cornersOf(shape ?? '')) expect(isWithin(corner, [0, 0, 100, 76]), parcelId).toBe(true)
      if (shape !== null) expect(cornersOf(shape).length, parcelId).toBeGreaterThan(2)
      for (const path of [d, shape]) expect(path ?? '').toMatch(/^(M[\d.\- ]+l[\d.\- ]+z)*$/)
    }
  }
})

test('each sector of Antarctica lies within its own thirty degrees around the pole', () => {
  const sectors = maps.at(-1)!.parcels.filter((parcel) => /\d/.test(parcel.parcelId))
  expect(sectors).toHaveLength(12)
  for (const [at, { parcelId, d, pin }] of sectors.entries()) {
    for (const [x, y] of [...cornersOf(d!), pin]) {
      if (Math.hypot(x - 500, y - 320) < 5) continue
      const degrees = ((Math.atan2(x - 500, 320 - y) * 180) / Math.PI + 360 - at * 30 + 15) % 360
      expect(Math.abs(degrees - 30), `${parcelId} at ${x} ${y}`).toBeLessThan(16)
    }
  }
})

test('the world map has a silhouette and a signpost for each continent', async () => {
  const { viewBox, continents } = await loadWorldMap()
  expect(Object.keys(continents)).toEqual(CONTINENTS)
  for (const { d, sign } of Object.values(continents)) {
    expect(cornersOf(d).length).toBeGreaterThan(30)
    expect(isWithin(sign, [...viewBox])).toBe(true)
  }
})

test('no map is heavier than 39 kB over the wire', () => {
  for (const name of [...CONTINENTS.map((code) => code.toLowerCase()), 'world']) {
    const bytes = gzipSync(readFileSync(join(import.meta.dirname, `${name}.json`))).length
    expect(bytes, name).toBeLessThan(MOST_BYTES)
  }
})

test('every country of the world has a flag', () => {
  for (const { countryCode } of PARCELS) {
    expect(flagUrl(countryCode), countryCode).toBeDefined()
    expect(existsSync(join(import.meta.dirname, `../flags/${countryCode.toLowerCase()}.webp`))).toBe(true)
  }
  expect(flagUrl('XX')).toBeUndefined()
})
