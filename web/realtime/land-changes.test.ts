import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ServerMessage } from '#contract/realtime.ts'
import { cotton } from '#game/cotton.ts'
import { type ContinentCode } from '#game/continents.ts'
import {
  applyMessage,
  isBehind,
  applyParcelList,
  applyPurchase,
  applyStats,
  EMPTY_WORLD,
  withoutVersions,
  type WorldState,
} from './land-changes.ts'

const CODES = ['EU', 'AN'] as const satisfies readonly ContinentCode[]
const PARCELS = ['1', '2', '3', '4']
const WALLETS = ['ana', 'bob', 'cat']

type State = { owners: Record<string, string | null>; price: number; version: number }
type History = readonly State[]

/** Sales and resales, one after another: every state that the server was ever in, the version being its place. */
const history: fc.Arbitrary<History> = fc
  .array(fc.record({ parcel: fc.constantFrom(...PARCELS), wallet: fc.constantFrom(...WALLETS) }), {
    minLength: 1,
    maxLength: 10,
  })
  .map((sales) => {
    const start = Object.fromEntries(PARCELS.map((parcel) => [parcel, null]))
    const states: State[] = [{ owners: start, price: 100, version: 0 }]
    for (const { parcel, wallet } of sales) {
      const last = states.at(-1)!
      states.push({
        owners: { ...last.owners, [parcel]: wallet },
        price: last.price + 2,
        version: last.version + 1,
      })
    }
    return states
  })

const listOf = ({ owners }: State) =>
  PARCELS.map((parcelId) => ({
    parcelId,
    owned: owners[parcelId] !== null,
    ownerWallet: owners[parcelId] ?? null,
  }))

const ownedIn = (state: State): number => listOf(state).filter((parcel) => parcel.owned).length

type ApplyChange = (world: WorldState) => WorldState

const statusFrame = (code: ContinentCode, state: State): ServerMessage => ({
  type: 'parcelStatus',
  data: {
    continentCode: code,
    total: PARCELS.length,
    owned: ownedIn(state),
    parcels: listOf(state),
    version: state.version,
  },
})

const statsOf = (code: ContinentCode, state: State) => ({
  [code]: {
    owned: ownedIn(state),
    total: PARCELS.length,
    currentPrice: state.price,
    version: state.version,
  },
})

/** Every way in which one state of the server may reach a client. */
const WAYS: readonly ((code: ContinentCode, states: History, at: number) => ApplyChange)[] = [
  (code, states, at) => (world) => applyMessage(world, statusFrame(code, states[at]!)),
  (code, states, at) => (world) =>
    applyMessage(world, {
      type: 'continentPrices',
      data: [
        { continentCode: code, currentPrice: states[at]!.price, version: at },
        { continentCode: 'AF', currentPrice: 1, version: 0 },
      ],
    }),
  (code, _, at) => (world) =>
    applyMessage(world, { type: 'parcelUpdate', data: { regionId: code, version: at } }),
  (code, states, at) => (world) => applyStats(world, statsOf(code, states[at]!)),
  (code, states, at) => (world) =>
    applyParcelList(world, code, { parcels: listOf(states[at]!), version: at, isSure: at % 2 === 0 }),
  (code, states, at) => (world) => {
    const changed = PARCELS.find((id) => states[at]!.owners[id] !== states[at - 1]?.owners[id])
    const ownerWallet = changed && states[at]!.owners[changed]
    // Only land without an owner is bought from the game.
    if (!changed || !ownerWallet || states[at - 1]?.owners[changed] !== null) return world
    return applyPurchase(world, code, {
      parcelId: changed,
      ownerWallet,
      newPrice: cotton(states[at]!.price),
      version: at,
    })
  },
]

/** Frames in any order, some lost, some doubled. */
const deliveries = fc.array(
  fc.record({
    code: fc.constantFrom(...CODES),
    way: fc.nat({ max: WAYS.length - 1 }),
    /** Which state, as a share of the history. */
    share: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
  }),
  { maxLength: 40 },
)

const versionsIn = (world: WorldState, code: ContinentCode): number[] => {
  const { price, count, ownerships, listVersion, newestVersion } = world[code]
  const held = PARCELS.map((id) => ownerships.get(id)?.version ?? -1)
  return [price?.version ?? -1, count?.version ?? -1, listVersion, newestVersion, ...held]
}

/** Each figure on the screen is one that the server had at the version it carries. */
function expectTrue(world: WorldState, code: ContinentCode, states: History): void {
  const { price, count, ownerships } = world[code]
  if (price) expect(price.amount).toBe(cotton(states[price.version]!.price))
  if (count) expect(count.owned).toBe(ownedIn(states[count.version]!))
  for (const [id, { owned, ownerWallet, version }] of ownerships) {
    expect(ownerWallet).toBe(states[version]!.owners[id])
    expect(owned).toBe(ownerWallet !== null)
  }
}

test('no frame replaces newer land with older, whatever is lost, repeated or reordered (S-96)', () => {
  fc.assert(
    fc.property(history, history, deliveries, (eu, an, frames) => {
      const worlds = { EU: eu, AN: an }
      let world = EMPTY_WORLD
      for (const { code, way, share } of frames) {
        const states = worlds[code]
        const before = versionsIn(world, code)
        world = WAYS[way]!(code, states, Math.floor(share * (states.length - 1)))(world)
        for (const [at, version] of versionsIn(world, code).entries())
          expect(version).toBeGreaterThanOrEqual(before[at]!)
        expectTrue(world, code, states)
      }
    }),
    { numRuns: 500 },
  )
})

const ENDS: Readonly<Record<string, (code: ContinentCode, states: History) => ApplyChange>> = {
  'a snapshot of the socket': (code, states) => (world) =>
    applyMessage(WAYS[1]!(code, states, states.length - 1)(world), statusFrame(code, states.at(-1)!)),
  'a poll': (code, states) => (world) =>
    applyParcelList(applyStats(world, statsOf(code, states.at(-1)!)), code, {
      parcels: listOf(states.at(-1)!),
      version: states.length - 1,
      isSure: true,
    }),
}

for (const [name, end] of Object.entries(ENDS)) {
  test(`after any frames ${name} leads to the state of the server`, () => {
    fc.assert(
      fc.property(history, deliveries, (states, frames) => {
        let world = EMPTY_WORLD
        for (const { way, share } of frames)
          world = WAYS[way]!('EU', states, Math.floor(share * (states.length - 1)))(world)
        expectState(end('EU', states)(world), states.at(-1)!)
      }),
    )
  })

  test(`on a new connection ${name} leads to the state of the server, even if it is an older one`, () => {
    fc.assert(
      fc.property(history, deliveries, fc.nat({ max: 10 }), (states, frames, lost) => {
        let world = EMPTY_WORLD
        for (const { way, share } of frames)
          world = WAYS[way]!('EU', states, Math.floor(share * (states.length - 1)))(world)
        const restored = states.slice(0, Math.max(1, states.length - lost))
        expectState(end('EU', restored)(withoutVersions(world)), restored.at(-1)!)
      }),
    )
  })
}

/** Europe shows this state of the server. */
function expectState({ EU }: WorldState, state: State): void {
  expect(EU.price?.amount).toBe(cotton(state.price))
  expect(EU.count).toMatchObject({ owned: ownedIn(state), total: PARCELS.length })
  const owners = PARCELS.map((id) => EU.ownerships.get(id)?.ownerWallet)
  expect(owners).toEqual(PARCELS.map((id) => state.owners[id]))
  expect(isBehind(EU)).toBe(false)
}

/** A state in which the first parcel has this owner. */
const stateAt = (version: number, owner: string | null): State => ({
  owners: { 1: owner, 2: null, 3: null, 4: null },
  price: 100 + version,
  version,
})

test('a list of a process that is behind gives way to the frame of the version of the stats', () => {
  const stats = applyStats(EMPTY_WORLD, statsOf('EU', stateAt(6, 'ana')))
  const list = { parcels: listOf(stateAt(5, null)), version: 6, isSure: false }
  const frame = statusFrame('EU', stateAt(6, 'ana'))
  const listFirst = applyMessage(applyParcelList(stats, 'EU', list), frame)
  const frameFirst = applyParcelList(applyMessage(stats, frame), 'EU', list)
  for (const world of [listFirst, frameFirst]) {
    expect(world.EU.ownerships.get('1')?.ownerWallet).toBe('ana')
    expect(world.EU.count?.owned).toBe(1)
    expect(isBehind(world.EU)).toBe(false)
    // The same frame once more.
    expect(applyMessage(world, frame).EU).toBe(world.EU)
  }
})

test('without frames, a list of a process that is behind gives way to one that is read when all know the version', () => {
  const behind = { parcels: listOf(stateAt(5, null)), version: 6 }
  const newest = { parcels: listOf(stateAt(6, 'ana')), version: 6 }
  const ownerAfter = (...lists: Parameters<typeof applyParcelList>[2][]) =>
    lists.reduce((world, list) => applyParcelList(world, 'EU', list), EMPTY_WORLD).EU.ownerships.get('1')
      ?.ownerWallet
  expect(ownerAfter({ ...behind, isSure: false }, { ...newest, isSure: true })).toBe('ana')
  // A late answer does not replace it.
  expect(ownerAfter({ ...newest, isSure: true }, { ...behind, isSure: false })).toBe('ana')
})

test('a list that is newer than the stats before it is caught up with', () => {
  let world = applyStats(EMPTY_WORLD, statsOf('EU', stateAt(5, null)))
  world = applyParcelList(world, 'EU', { parcels: listOf(stateAt(6, 'ana')), version: 5, isSure: false })
  expect(world.EU.ownerships.get('1')?.ownerWallet).toBe('ana')
  world = applyMessage(world, { type: 'parcelUpdate', data: { regionId: 'EU', version: 6 } })
  expect(isBehind(world.EU)).toBe(true)
  world = applyMessage(world, statusFrame('EU', stateAt(6, 'ana')))
  expect(isBehind(world.EU)).toBe(false)
})

test('the player’s own purchase shows at once, and missed changes are read', () => {
  const known = applyMessage(
    EMPTY_WORLD,
    statusFrame('EU', { owners: { 1: null, 2: null, 3: null, 4: null }, price: 100, version: 3 }),
  )
  const next = applyPurchase(known, 'EU', {
    parcelId: '1',
    ownerWallet: 'ana',
    newPrice: cotton(102),
    version: 4,
  })
  expect(next.EU).toMatchObject({
    price: { amount: cotton(102) },
    count: { owned: 1 },
    listVersion: 4,
    newestVersion: 4,
  })
  const ahead = applyPurchase(known, 'EU', {
    parcelId: '1',
    ownerWallet: 'ana',
    newPrice: cotton(106),
    version: 6,
  })
  expect(ahead.EU.ownerships.get('1')?.ownerWallet).toBe('ana')
  expect(isBehind(ahead.EU)).toBe(true)
})

test('the figure of the bar has its latest source, and stays as it is when it is read again (S-100)', () => {
  const state = { owners: { 1: 'ana' }, price: 100, version: 2 }
  const read = applyStats(EMPTY_WORLD, statsOf('EU', state))
  expect(read.EU.count?.path).toBe('api')
  const pushed = applyMessage(read, statusFrame('EU', state))
  expect(pushed.EU.count?.path).toBe('socket')
  expect(applyStats(pushed, statsOf('EU', state)).EU.count?.path).toBe('socket')
  expect(applyStats(pushed, statsOf('EU', { ...state, version: 3 })).EU.count?.path).toBe('api')
})

test('unknown messages and unknown continents change nothing (A-17)', () => {
  expect(applyMessage(EMPTY_WORLD, { type: 'weather', data: {} } as never)).toBe(EMPTY_WORLD)
  expect(
    applyMessage(EMPTY_WORLD, { type: 'parcelUpdate', data: { regionId: 'XX', version: 9 } } as never),
  ).toBe(EMPTY_WORLD)
})

test('a frame with missing fields changes only what it contains', () => {
  const frames = [
    { type: 'continentPrices', data: [{ continentCode: 'EU', version: 1 }, { currentPrice: 5 }, null] },
    { type: 'continentPrices', data: null },
    { type: 'parcelStatus', data: { continentCode: 'EU', total: 3, parcels: null } },
    { type: 'parcelUpdate', data: {} },
  ]
  const after = frames.reduce((world, frame) => applyMessage(world, frame as never), EMPTY_WORLD)
  expect(after.EU).toMatchObject({ price: null, count: null, listVersion: -1 })
  expect(after.AS).toBe(EMPTY_WORLD.AS)
})

test('a frame without a version counts as the next one', () => {
  const price = (currentPrice: number) =>
    ({ type: 'continentPrices', data: [{ continentCode: 'EU', currentPrice }] }) as never
  const latest = applyMessage(applyMessage(EMPTY_WORLD, price(100_000)), price(102_000))
  expect(latest.EU.price?.amount).toBe(cotton(102_000))
})
