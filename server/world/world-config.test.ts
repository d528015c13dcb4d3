import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test as plain } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { PARCELS } from '#game/world.ts'
import { serveApp } from '#tests/support/serve-app.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { applyWorld } from './apply-world.ts'
import { openDb, rowOf, sql } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { readWorldFile } from './world-config.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'world-file-'))
afterAll(() => rmSync(dataDir, { recursive: true }))

function offered(content: unknown) {
  const worldFile = join(dataDir, 'offered.json')
  writeFileSync(worldFile, typeof content === 'string' ? content : JSON.stringify(content))
  return readWorldFile({ worldFile, dataDir })
}

plain('without a world file, the whole world is offered', () => {
  const world = readWorldFile({ worldFile: '', dataDir })
  expect(world.parcels).toHaveLength(PARCELS.length)
  expect(new Set(Object.values(world.startPrices))).toEqual(new Set([cotton(100_000)]))
  expect(world.supply).toMatchObject({ kid: 10_000, grandma: 5_000, grandad: 2_000, bigman: 1_000 })
})

plain('world.json in the data folder applies, unless WORLD_FILE names another file', () => {
  writeFileSync(join(dataDir, 'world.json'), '{"supply":{"kid":7}}')
  expect(readWorldFile({ worldFile: '', dataDir }).supply.kid).toBe(7)
  expect(offered({ supply: { kid: 8 } }).supply).toMatchObject({ kid: 8, grandma: 5_000 })
  rmSync(join(dataDir, 'world.json'))
})

plain('the world file may begin with a byte order mark and end its lines as on Windows', () => {
  expect(offered('\uFEFF{\r\n "supply": { "kid": 9 }\r\n}\r\n').supply.kid).toBe(9)
})

const WRONG: [content: unknown, problem: string][] = [
  ['{"exclude": [', 'it is not valid JSON'],
  [[], 'it must be of type object'],
  ['null', 'it must be of type object'],
  [{ excludes: [] }, 'excludes is no setting of it'],
  [{ exclude: 'FR' }, 'exclude must be of type array'],
  [{ exclude: [7] }, 'exclude.0 must be text'],
  [{ exclude: ['FR', 'Atlantis'] }, 'exclude names "Atlantis", which is no land of the world'],
  [{ exclude: PARCELS.map((parcel) => parcel.parcelId) }, 'exclude leaves no land to sell'],
  [{ startPrices: { XX: 5 } }, 'startPrices names "XX", which is none of NA, SA, EU, AS, AF, OC, AN'],
  [{ startPrices: { EU: '5' } }, 'startPrices.EU must be a number'],
  [{ startPrices: { EU: 0 } }, 'startPrices.EU must be whole $COTTON from 1 to 1000000000'],
  [{ startPrices: { EU: 1.5 } }, 'startPrices.EU must be whole $COTTON from 1 to 1000000000'],
  [{ supply: { wizard: 5 } }, 'supply.wizard is no setting of it'],
  [{ supply: { kid: -1 } }, 'supply.kid must be from 0 to 10000000'],
  [{ supply: { kid: 1e8 } }, 'supply.kid must be from 0 to 10000000'],
  [{ supply: { kid: '5' } }, 'supply.kid must be'],
]

for (const [content, problem] of WRONG) {
  plain(`${JSON.stringify(content).slice(0, 60)} is refused in one sentence: ${problem}`, () => {
    expect(() => offered(content)).toThrow(/^The world file \S+ \(WORLD_FILE\) is wrong: .+\.$/)
    expect(() => offered(content)).toThrow(`is wrong: ${problem}`)
  })
}

plain('a missing world file is refused with the name of the setting', () => {
  const worldFile = join(dataDir, 'missing.json')
  expect(() => readWorldFile({ worldFile, dataDir })).toThrow(
    /^WORLD_FILE is ".+", which cannot be read: ENOENT\.$/,
  )
})

const continents = (world: TestWorld) =>
  world.db.rows(
    sql({
      name: 'test-continents',
      row: rowOf<{ code: string; start_price: bigint; price: bigint; version: bigint; excluded: string[] }>(),
      text: 'select code, start_price, price, version, excluded from continents order by code',
    }),
  )

const supplies = async (world: TestWorld) => {
  const rows = await world.db.rows(
    sql({
      name: 'test-supplies',
      row: rowOf<{ worker_type: string; max_supply: number }>(),
      text: 'select worker_type, max_supply from worker_types',
    }),
  )
  return Object.fromEntries(rows.map((row) => [row.worker_type, row.max_supply]))
}

test('the database offers the world of the file, and applying the same file again changes nothing', async ({
  world,
}) => {
  const file = offered({
    exclude: ['FR', 'AN-03'],
    startPrices: { AS: 250_000 },
    supply: { kid: 3, bigman: 0 },
  })
  await applyWorld(world.url, file)
  const after = await continents(world)
  expect(
    after.filter((each) => each.version > 0n).map(({ code, price, excluded }) => [code, price, excluded]),
  ).toEqual([
    ['AN', cotton(100_000), ['AN-03']],
    ['AS', cotton(250_000), []],
    ['EU', cotton(100_000), ['EU-FR']],
  ])
  expect(await supplies(world)).toMatchObject({ kid: 3, grandma: 5_000, grandad: 2_000, bigman: 0 })
  await applyWorld(world.url, file)
  expect(await continents(world)).toEqual(after)
  await applyWorld(world.url, offered({}))
  expect((await continents(world)).every((each) => each.price === cotton(100_000))).toBe(true)
})

test('prices of a continent with sold land do not change, and a supply never falls below what is sold', async ({
  world,
}) => {
  const player = await world.player({ deposited: 500_000 })
  await world.hire(player, 'kid')
  await world.hire(player, 'kid')
  await world.buy(player, 'EU-FR')
  await applyWorld(world.url, offered({ startPrices: { EU: 5, AF: 5 }, supply: { kid: 1 }, exclude: ['FR'] }))
  const after = new Map((await continents(world)).map((each) => [each.code, each]))
  expect(after.get('EU')).toMatchObject({
    start_price: cotton(100_000),
    price: cotton(102_000),
    excluded: ['EU-FR'],
  })
  expect(after.get('AF')).toMatchObject({ start_price: cotton(5), price: cotton(5) })
  expect((await supplies(world)).kid).toBe(2)
})

test('a worker type that the database lacks stops the start with one sentence; applying the world adds it', async ({
  world,
}) => {
  await applyWorld(world.url, offered({}))
  await world.db.rows(
    sql({ name: 'test-forget-type', text: `delete from worker_types where worker_type = 'bigman'` }),
  )
  const start = () => serveApp(world)
  await expect(start()).rejects.toThrow(StartupError)
  await expect(start()).rejects.toThrow(
    'The database has no worker type "bigman". "node server/main.ts migrate" adds it.',
  )
  await applyWorld(world.url, offered({ supply: { bigman: 4 } }))
  expect((await supplies(world)).bigman).toBe(4)
  await (await start()).close()
})

test('the api login can change prices, but neither start prices nor what is offered', async ({ world }) => {
  const api = openDb(world.urlFor('api'), { max: 1, applicationName: 'test' })
  try {
    await api.rows(sql({ name: 'test-may-move', text: 'update continents set price = price, owned = owned' }))
    const denied = [
      'update continents set start_price = 1',
      `update continents set excluded = '{}'`,
      'update worker_types set max_supply = 1',
      'delete from land',
      'update land set price_paid = 1',
    ]
    for (const [at, statement] of denied.entries()) {
      await expect(api.rows(sql({ name: `test-denied-${at}`, text: statement }))).rejects.toThrow(
        /permission denied/,
      )
    }
  } finally {
    await api.end()
  }
})
