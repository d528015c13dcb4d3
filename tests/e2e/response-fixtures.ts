import type { Page } from '@playwright/test'
import type { ReplyOf, Route } from '#contract/route.ts'
import { ROUTES, type RouteName } from '#contract/routes.ts'
import { CONTINENTS } from '#game/continents.ts'
import { WORKER_TYPES } from '#game/workers.ts'
import { playAs } from './funded-player.ts'
import { sampleReply } from './sample-reply.ts'

/** The player of these responses. */
export const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
const OTHER = '4Nd1mYwJfYQ3yJ3n6YkVqLZ4uSGmZ3mHkYyM8x5o1Zqb'
const SIGNATURE = '5'.repeat(88)
const AT = '2026-11-20T09:12:00.000Z'

const type = (workerType: (typeof WORKER_TYPES)[number]) => ({
  workerType,
  name: workerType,
  maxSupply: 1_000,
  sold: 100,
  available: 900,
  progress: 10,
  price: 50_000,
  generationRate: 5_000,
  image: '/art/kid.webp',
})

const parcel = (countryCode: string, countryName: string, ownerWallet: string | null) => ({
  parcelId: `EU-${countryCode}`,
  regionId: 'EU' as const,
  regionName: 'Europe',
  countryCode,
  countryName,
  assetType: 'country' as const,
  owned: ownerWallet !== null,
  ownerWallet,
  area: 1_000,
  tier: 2 as const,
  basePrice: 100_000,
})

const PARCELS = [parcel('FR', 'France', WALLET), parcel('MT', 'Malta', null), parcel('PL', 'Poland', OTHER)]

const listing = (seller: string, status: 'active' | 'sold') => ({
  id: `0f8fad5b-d9cb-469f-a165-70867728950${status === 'sold' ? 1 : seller === WALLET ? 2 : 3}`,
  status,
  parcelId: 'EU-PL',
  continentCode: 'EU' as const,
  assetType: 'country' as const,
  countryCode: 'PL',
  countryName: 'Poland',
  regionName: 'Europe',
  tier: 2 as const,
  displayPrice: 120_000,
  originalPrice: 120_000,
  sellerReceives: 108_000,
  lastPrice: 100_000,
  listedDate: AT,
  sellerWalletAddress: seller,
  buyerWalletAddress: status === 'sold' ? OTHER : null,
  purchaseDate: status === 'sold' ? AT : null,
})

const TYPES = Object.fromEntries(WORKER_TYPES.map((each) => [each, type(each)])) as Record<
  (typeof WORKER_TYPES)[number],
  ReturnType<typeof type>
>
const STATS = { owned: 2, total: 3, available: 1, currentPrice: 104_040, version: 2 }
const flow = { total: 10, lastDay: 1 }
const historyItem = (kind: 'deposit' | 'claim' | 'hire', detail: Record<string, string | number>) => ({
  id: kind,
  kind,
  amount: kind === 'hire' ? -50_000 : 1_234.5,
  at: AT,
  detail,
})

type Responses = { readonly [Name in RouteName]?: ReplyOf<(typeof ROUTES)[Name]> }

/** Responses that belong together: the tests find their players, parcels and amounts on the pages. */
const WRITTEN: Responses = {
  readUser: { walletAddress: WALLET, creditBalance: 500_000, frozen: null },
  readHistory: {
    success: true,
    items: [
      historyItem('deposit', { signature: SIGNATURE }),
      historyItem('claim', { workerType: 'kid', workers: 2 }),
      historyItem('hire', { workerId: 'kid-0001' }),
    ],
    next: null,
    pending: [{ signature: SIGNATURE, amount: 5, at: AT }],
  },
  readLastSeen: { success: true, elsewhereAt: null },
  readDepositAddress: { success: true, depositWallet: OTHER },
  readWalletBalance: { success: true, amount: 12.5 },
  readDeposits: {
    success: true,
    items: [
      {
        signature: SIGNATURE,
        asset: 'other_token',
        mint: OTHER,
        amount: '5',
        state: 'unclaimed',
        why: null,
        at: AT,
      },
    ],
    next: null,
  } as ReplyOf<(typeof ROUTES)['readDeposits']>,
  readChain: { cluster: 'local', mint: OTHER, decimals: 6, explorer: 'https://explorer.example/{signature}' },
  readWithdrawals: {
    success: true,
    next: null,
    withdrawals: [
      {
        id: 'one',
        amount: 10.5,
        deposited: 10.5,
        earned: 0,
        state: 'finalized',
        reason: null,
        reasons: [],
        signature: SIGNATURE,
        requestedAt: AT,
        settledAt: AT,
        cancelledAt: null,
      },
    ],
  },
  readWithdrawable: {
    success: true,
    withdrawable: 800.5,
    deposited: 800.5,
    earned: 100,
    earnedToday: 0,
    needsDeposit: false,
    minimum: 1,
    budgetResetsAt: AT,
    paused: true,
    pause: { reason: 'We are checking a late block.', since: AT },
  },
  readWorkerTypes: { success: true, workerTypes: TYPES },
  readOwnedWorkers: {
    success: true,
    next: null,
    workers: ['kid-0001', 'kid-0002'].map((workerId) => ({
      workerId,
      workerType: 'kid',
      totalGeneratedTokens: 1_000,
      claimedGeneratedTokens: 100,
      unclaimedTokens: 900,
      generationRate: 5_000,
      purchaseDate: AT,
      lastTokenUpdate: AT,
    })),
  },
  readMilestones: {
    success: true,
    facts: {
      workers: { kid: 2, grandma: 0, grandad: 0, bigman: 0 },
      available: { kid: 100, grandma: 100, grandad: 100, bigman: 100 },
      harvested: 200,
      hasSold: false,
      parcelIds: ['EU-FR'],
      landOf: Object.fromEntries(CONTINENTS.map((code) => [code, 3])) as Record<
        (typeof CONTINENTS)[number],
        number
      >,
      countries: 18,
    },
    granted: ['first-picker', 'kid-2', 'countries-1'].map((code) => ({ code, grantedAt: AT })),
  },
  readContinentStats: Object.fromEntries(CONTINENTS.map((code) => [code, STATS])) as Record<
    (typeof CONTINENTS)[number],
    typeof STATS
  >,
  readParcels: PARCELS,
  readParcelSales: { success: true, next: null, sales: [{ price: 100_000, at: AT, by: 'game' }] },
  readListings: {
    success: true,
    open: true,
    openContinents: ['EU'],
    listings: [listing(OTHER, 'active'), listing(WALLET, 'active')],
  },
  readUserListings: {
    success: true,
    next: null,
    listings: [listing(WALLET, 'active'), listing(WALLET, 'sold')],
  },
  readSite: {
    product: 'Cotton Farm',
    xUrl: 'https://x.example/farm',
    tokenUrl: 'https://token.example',
    marketOpen: true,
    openContinents: ['EU'],
    announcements: [],
  },
  readTerms: {
    blocks: [{ kind: 'paragraph', lines: [[{ text: 'Play.', strong: true, href: '/' }]] }],
    changedAt: AT,
  },
  readTransparency: {
    supply: { deposited: 1, earned: 2, pool: 3, held: 4 },
    flows: { emitted: flow, burned: flow, spent: flow },
    reserve: {
      standing: 'covered',
      at: AT,
      slot: 5,
      treasury: 6,
      cold: 7,
      coldWallets: [OTHER],
      depositAccounts: 8,
      inFlight: 0,
      tokens: 21,
      owed: 20,
    },
    budget: { total: 10, used: 5, left: 5, perWallet: 1, resetsAt: AT },
    queue: [{ state: 'requested', count: 1, amount: 5, oldest: AT }],
    pause: { reason: 'We are checking a late block.', since: AT },
  },
}

/** A complete response for every GET route. Those that are not written are made from the declaration of the reply. */
export const RESPONSES: Responses = {
  ...(Object.fromEntries(
    Object.entries(ROUTES)
      .filter(([, { method }]) => method === 'GET')
      .map(([name, route]) => [name, sampleReply(route)]),
  ) as Responses),
  ...WRITTEN,
}

/** The response to the purchase of a kid. */
export const HIRED_KID = {
  success: true,
  worker: { workerId: 'kid-0042', workerType: 'kid' },
  message: '',
  newBalance: 450_000,
}

/** Complete messages of the socket. */
export const FRAMES = [
  { type: 'continentPrices', data: [{ continentCode: 'EU', currentPrice: 106_121, version: 3 }] },
  {
    type: 'parcelStatus',
    data: {
      continentCode: 'EU',
      total: 3,
      owned: 2,
      parcels: [{ parcelId: 'EU-FR', owned: true, ownerWallet: OTHER }],
      version: 3,
    },
  },
  { type: 'parcelUpdate', data: { regionId: 'EU', version: 4 } },
  { type: 'workerUpdate', data: { kid: { ...type('kid'), sold: 101 } } },
  { type: 'listingUpdate', data: { open: true, openContinents: ['EU'], active: 2 } },
]

export const ROUTE_NAMES = Object.keys(RESPONSES) as RouteName[]

export const routeOf = (name: RouteName): Route => ROUTES[name]

type Transform = (name: RouteName, whole: unknown) => unknown

/** Logs in a player whose calls get these responses. Other calls are refused. */
export async function playWithResponses(
  page: Page,
  transform: Transform = (_, whole) => whole,
): Promise<void> {
  await page.route('**/api/**', (route) => {
    const { pathname } = new URL(route.request().url())
    const name = ROUTE_NAMES.find(
      (each) =>
        routeOf(each).method === route.request().method() &&
        new RegExp(`^${routeOf(each).path.replaceAll(/:\w+/g, '[^/]+')}$`).test(pathname),
    )
    return name
      ? route.fulfill({ json: transform(name, RESPONSES[name]) })
      : route.fulfill({ status: 503, json: { success: false, code: 'busy', message: 'Busy.' } })
  })
  await page.routeWebSocket('**/ws', () => undefined)
  await playAs(page.context(), { address: WALLET, token: 'a token' })
}

type FieldPath = readonly string[]

/** How a field is damaged. */
export type DamageKind = 'missing' | 'null'

/** Every field of an object and of its nested objects. For lists see `addDamagedVariants`. */
function listFieldPaths(value: unknown, path: FieldPath = []): FieldPath[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, each]) => [
    [...path, key],
    ...listFieldPaths(each, [...path, key]),
  ])
}

/**
 * Distributes the fields over rounds, so that sibling objects are damaged together. In a round each object lacks at most
 * one field, and no field is inside another.
 */
export function roundsOf(value: unknown, path: FieldPath = []): FieldPath[][] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return []
  const own = Object.keys(value).map((key) => [[...path, key]])
  const inner = Object.entries(value).map(([key, each]) => roundsOf(each, [...path, key]))
  const length = Math.max(0, ...inner.map((rounds) => rounds.length))
  const together = Array.from({ length }, (_, round) => inner.flatMap((rounds) => rounds[round] ?? []))
  return [...own, ...together]
}

/** A copy of the value without the field at this path, or with null there. */
export function damageField<T>(value: T, fieldPath: FieldPath, damageKind: DamageKind): T {
  const copy = structuredClone(value)
  const last = fieldPath.at(-1)!
  const parent = fieldPath.slice(0, -1).reduce((at, key) => at[key] as Fields, copy as Fields)
  if (damageKind === 'null') parent[last] = null
  else delete parent[last]
  return copy
}

type Fields = Record<string, unknown>

/** The value with further elements in each list of objects: its first element without one field, for each field. */
export function addDamagedVariants<T>(value: T): T {
  return (Array.isArray(value) ? listed(value) : mapped(value)) as T
}

function mapped(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, addDamagedVariants(each)]))
}

function listed(list: readonly unknown[]): unknown[] {
  const [first] = list
  if (typeof first !== 'object' || first === null) return [...list, null]
  const variants = (['missing', 'null'] as const).flatMap((damageKind) =>
    listFieldPaths(first).map((fieldPath) =>
      damageField(renamed(first, `${fieldPath.join('.')}-${damageKind}`), fieldPath, damageKind),
    ),
  )
  return [...list.map(addDamagedVariants), ...variants, null]
}

/** Another element of the same list. */
function renamed(element: object, name: string): object {
  const ids = ['id', 'parcelId', 'workerId', 'signature'].filter((key) => key in element)
  return {
    ...element,
    ...Object.fromEntries(ids.map((key) => [key, `${Reflect.get(element, key)}-${name}`])),
  }
}
