import type { CONSOLE_ROUTES, ConsoleRouteName } from '#contract/console/routes.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { CONTINENT_NAMES, CONTINENTS } from '#game/continents.ts'
import { WORKER_TYPES, WORKERS } from '#game/workers.ts'
import { toDecimal } from '#game/cotton.ts'

type ReplyTo<Name extends ConsoleRouteName> = ConsoleReply<(typeof CONSOLE_ROUTES)[Name]>
export type WithdrawalView = ReplyTo<'listWithdrawals'>['items'][number]
export type ActView = ReplyTo<'listActs'>['items'][number]

export const PLAYERS = [
  '7Yz3mKQ9c1wVbT5pRxN2aLfD8sHgJ4uEoZt6kXyCvBnM',
  'HTqWmR8pXzLcV2bNfKs9DgJ7uYaEo3xZt5kQyCvBnM4h',
  '9pKd3fVhYzRw7mTqXcLsN2bJgUaE8oZt6kQyCvBnM4H5',
] as const

const TREASURY = 'BxRt5kQyCvBnM4H57Yz3mKQ9c1wVbTpRxN2aLfD8sHgJ'
const TRANSACTION = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'
const MINUTE_MS = 60_000

export const ago = (minutes: number): string => new Date(Date.now() - minutes * MINUTE_MS).toISOString()

const uuidOf = (index: number): string => `0199a3f2-1111-7000-8000-${String(index).padStart(12, '0')}`

function withdrawal(index: number, own: Partial<WithdrawalView> = {}): WithdrawalView {
  const amount = ['150000', '2500.5', '80000', '1200'][index % 4]!
  return {
    id: uuidOf(index),
    wallet: PLAYERS[index % 3]!,
    amount,
    deposited: amount,
    earned: '0',
    state: 'review',
    reasons: [
      { code: 'large', sentence: 'It is above WITHDRAWAL_REVIEW_ABOVE.' },
      { code: 'first_withdrawal', sentence: 'It is the first withdrawal of this wallet.' },
    ],
    requestedAt: ago(400 - 30 * index),
    settledAt: null,
    cancelledAt: null,
    retryAt: null,
    signature: null,
    needed: Number(amount) > 100_000 ? 2 : 1,
    approvals: [],
    frozen: false,
    ...own,
  }
}

/** What the stand-in of the console knows. The stories change it, and the replies follow. */
export function createConsoleWorld() {
  return {
    /** How long the stand-in of the signer takes for an act. */
    signerDelayMs: 300,
    pause: null as { reason: string; since: string } | null,
    frozen: new Map<string, string>(),
    marketsOpenedEarly: new Set<string>(),
    withdrawals: [
      ...[0, 1, 2].map((index) => withdrawal(index)),
      withdrawal(3, { state: 'sent', signature: TRANSACTION, reasons: [] }),
      withdrawal(5, { state: 'finalized', settledAt: ago(20), signature: TRANSACTION, reasons: [] }),
    ],
    acts: [] as ActView[],
    announcements: [] as ReplyTo<'listAnnouncements'>['items'],
    log: [] as ReplyTo<'listLog'>['items'],
    problems: [
      {
        name: 'WithdrawalsWait',
        severity: 'critical',
        summary: 'The oldest withdrawal in review waits for 6 h 40 min. Decide on it.',
        page: 'withdrawals',
      },
      {
        name: 'BackupOld',
        severity: 'warning',
        summary: 'The last backup is 31 hours old. The log of the backup says why.',
        page: 'health',
      },
    ] as ReplyTo<'readToday'>['problems'],
    /** Changes of any kind. The versions of all lists are made from it. */
    version: 0,
  }
}

export type ConsoleWorld = ReturnType<typeof createConsoleWorld>

const deposit = (index: number, own: object = {}) => ({
  signature: `${TRANSACTION.slice(index)}${TRANSACTION.slice(0, index)}`,
  tokenAccount: TREASURY,
  wallet: PLAYERS[index % 3]!,
  asset: 'cotton' as const,
  mint: null,
  amount: String(50_000 + index),
  state: 'credited' as const,
  why: null,
  slot: 312_345_678 + index,
  seenAt: ago(500 + index),
  creditedAt: ago(499 + index),
  journalId: '991',
  ...own,
})

export const depositsOf = (view: string): ReplyTo<'listDeposits'>['items'] =>
  view === 'uncredited'
    ? [
        deposit(1, {
          asset: 'sol',
          amount: '0.5',
          state: 'unclaimed',
          creditedAt: null,
          journalId: null,
          why: { code: 'sol', sentence: 'This is SOL. The game credits $COTTON only.' },
        }),
      ]
    : view === 'credited'
      ? [deposit(1), deposit(2), deposit(3)]
      : []

export const playerFacts = (world: ConsoleWorld, wallet: string): ReplyTo<'readPlayer'>['player'] => {
  const reason = world.frozen.get(wallet)
  return {
    wallet,
    createdAt: ago(60 * 24 * 40),
    deposited: '348500.25',
    earned: '51200.75',
    held: '150000',
    frozen: reason === undefined ? null : { reason, since: ago(3), by: 'Ana' },
    openWithdrawals: 2,
  }
}

export const readPlayer = (world: ConsoleWorld, wallet: string): ReplyTo<'readPlayer'> => ({
  player: playerFacts(world, wallet),
  depositAddress: TREASURY,
  lockHours: 24,
  workers: [{ type: 'kid', count: 12, ratePerHour: 60_000, claimed: '1200000', unclaimed: '4200' }],
  land: [{ parcelId: 'EU-FR', name: 'France', boughtAt: ago(8_000), pricePaid: '104040' }],
  parcels: 1,
  sessions: [
    {
      id: '1',
      device: 'Firefox on Linux',
      address: '203.0.113.7',
      createdAt: ago(4_000),
      seenAt: ago(3),
      active: true,
    },
  ],
})

/** Journals from number `first` down, as one page of the ledger. */
export const journalsFrom = (first: number, count: number): ReplyTo<'listJournals'>['items'] =>
  Array.from({ length: count }, (_, index) => ({
    id: String(first - index),
    at: ago(index * 7),
    kind: (['claim', 'withdrawal', 'deposit'] as const)[index % 3]!,
    wallet: PLAYERS[index % 3]!,
    amount: '5000',
    lines: [
      { wallet: PLAYERS[index % 3]!, account: 'earned' as const, amount: '5000', balanceAfter: '51200.75' },
      { wallet: '', account: 'emission' as const, amount: '-5000', balanceAfter: null },
    ],
    detail: JSON.stringify({ workerId: 'grandma-0042' }),
  }))

/** The starts of the last hours or days. */
const instantsOf = (span: string): string[] => {
  const [count, stepMs] = span === 'day' ? [24, 60 * MINUTE_MS] : [30, 24 * 60 * MINUTE_MS]
  const end = Math.floor(Date.now() / stepMs) * stepMs
  return Array.from({ length: count }, (_, index) => new Date(end - (count - index) * stepMs).toISOString())
}

export const activityOf = (span: string): ReplyTo<'readActivity'> => ({
  points: instantsOf(span).map((at, index) => ({
    at,
    players: 40 + Math.round(30 * Math.sin(index / 3)),
    newPlayers: index % 5,
    claims: 200 + index * 7,
    hires: (index * 2) % 13,
    parcels: index % 4,
    resales: (index + 1) % 3,
    volume: String(40_000 * (index % 3)),
    deposited: String(90_000 * ((index * 7) % 5)),
    withdrawn: String(60_000 * ((index * 3) % 4)),
  })),
})

export const booksHistoryOf = (span: string): ReplyTo<'readBooksHistory'> => ({
  points: instantsOf(span).map((at, index) => ({
    at,
    tokens: index === 3 ? null : String(47_000_000 + index * 20_000),
    owed: index === 3 ? null : String(46_000_000 + index * 19_000),
    pool: String(41_000_000 + index * 40_000),
    emitted: String(60_000 + (index % 5) * 9_000),
    burned: String(20_000 + (index % 3) * 5_000),
    spent: String(100_000 * (index % 4)),
  })),
})

export const readBooks = (): ReplyTo<'readBooks'> => ({
  supply: { deposited: '4250000.5', earned: '812000.25', pool: '42000000', held: '233700.5' },
  flows: { emitted: '9120000', burned: '3100000', spent: '44000000' },
  reserve: {
    standing: 'covered',
    at: ago(0),
    slot: 312_345_900,
    treasury: '27500000',
    cold: '20000000',
    coldWallets: [PLAYERS[2]],
    depositAccounts: '12000',
    inFlight: '1200',
    tokens: '47513200',
    owed: '46483701',
    surplus: '1029499',
  },
  budget: { total: '420000', used: '133700', left: '286300', resetsAt: ago(-700) },
  treasury: {
    address: TREASURY,
    mint: PLAYERS[1],
    tokens: '27500000',
    sol: '3.25',
    at: ago(0),
    alarms: [],
  },
  topUp: { owed: '150000', missing: '0' },
  restored: [{ signature: TRANSACTION, wallet: PLAYERS[1], amount: '5000', open: '5000' }],
})

export const readWorld = (world: ConsoleWorld): ReplyTo<'readWorld'> => ({
  workers: WORKER_TYPES.map((type) => ({
    type,
    name: WORKERS[type].name,
    price: toDecimal(WORKERS[type].price),
    ratePerHour: 5_000,
    maxSupply: 100_000,
    sold: 3_120,
  })),
  continents: CONTINENTS.map((code, index) => ({
    code,
    name: CONTINENT_NAMES[code],
    startPrice: '100000',
    price: String(100_000 + index * 2_040),
    owned: index * 3,
    offered: 40 + index,
    excluded: code === 'EU' ? ['EU-RU', 'EU-BY'] : [],
    marketOpen: world.marketsOpenedEarly.has(code),
    openedEarly: world.marketsOpenedEarly.has(code),
    activeListings: 0,
  })),
  marketMode: 'auto',
})

export const readHealth = (): ReplyTo<'readHealth'> => ({
  at: ago(0),
  roles: (['api', 'watcher', 'signer', 'console'] as const).map((role) => ({
    role,
    state: role === 'signer' ? ('silent' as const) : ('running' as const),
    connections: 2,
    seenAt: ago(role === 'signer' ? 3 : 0),
    detail: role === 'signer' ? 'It has not written for 3 minutes. Start it: payouts wait.' : 'It runs.',
  })),
  versions: { program: '0.1.0', node: '24.21.0', postgres: '18.4', schema: '0001_schema' },
  database: {
    bytes: 8_123_456_789,
    grownBytes: 120_456_789,
    connections: 14,
    maxConnections: 100,
    tables: ['entries', 'journals', 'receipts'].map((name, index) => ({
      name,
      bytes: 3_000_000_000 - index * 900_000_000,
      rows: 12_345_678 - index * 4_000_000,
    })),
    standbys: [],
  },
  watcherLagMs: 4_200,
  backups: { lastAt: ago(1_900), failedAt: null, drillAt: ago(40_000) },
})
