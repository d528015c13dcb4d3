import { randomBytes, randomUUID } from 'node:crypto'
import { cotton } from '#game/cotton.ts'
import { sql } from '#server/platform/db/db.ts'
import { recordSignerState, type SignerStage } from '#server/signer/signer-state.ts'
import { readSnapshot, type ReserveSnapshot, storeSnapshot } from '#server/solvency/reserve-snapshot.ts'
import type { TestWorld } from './test-world.ts'

const SNAPSHOT = {
  slot: 77n,
  tookMs: 12,
  treasury: cotton(700),
  cold: cotton(200),
  coldWallets: [],
  depositAccounts: cotton(100),
  inFlight: cotton(5),
  deposited: cotton(600),
  pool: cotton(400),
  held: cotton(3),
  creditedAhead: cotton(3),
  surplus: cotton(5),
  shortSince: null,
  confirmed: false,
} satisfies Omit<ReserveSnapshot, 'at'>

/** Stores a reserve snapshot of now: it covers what is owed unless `missing` whole $COTTON are. */
export async function checkReserve({ db, clock }: TestWorld, { missing = 0 } = {}): Promise<void> {
  const at = clock.now()
  const short = {
    treasury: cotton(695 - missing),
    surplus: cotton(-missing),
    shortSince: at,
    confirmed: true,
  }
  const snapshot: ReserveSnapshot = { ...SNAPSHOT, at, ...(missing > 0 && short) }
  await storeSnapshot(db, { snapshot, last: await readSnapshot(db) })
}

/** The signer gives a sign of life. */
export const runSigner = async ({ db, clock }: TestWorld, stage: SignerStage = 'ready'): Promise<void> =>
  recordSignerState(db, {
    stage,
    startedAt: clock.now(),
    origin: 'http://farm.test',
    now: clock.now(),
  })

const writeSetting = sql({
  name: 'test-write-setting',
  params: { name: 'text', value: 'jsonb', at: 'timestamptz' },
  text: ({ name, value, at }) => `insert into settings (name, value, at) values (${name}, ${value}, ${at})
    on conflict (name) do update set value = excluded.value, at = excluded.at`,
})

/** Stores a setting as the program that owns it does. */
export const storeSetting = async ({ db, clock }: TestWorld, name: string, value: object): Promise<void> =>
  void (await db.rows(writeSetting, { name, value, at: clock.now() }))

/** What the signer stores about the treasury's wallet. */
export const storeTreasury = (world: TestWorld, alarms: string[]): Promise<void> =>
  storeSetting(world, 'treasury_state', {
    address: 'So11111111111111111111111111111111111111112',
    tokens: '2500000',
    lamports: '1500000000',
    alarms,
  })

const insertWithdrawal = sql({
  name: 'test-insert-withdrawal',
  params: {
    id: 'uuid',
    journalId: 'uuid',
    state: 'text',
    at: 'timestamptz',
    wallet: 'text',
    nonce: 'text',
    signature: 'bytea',
  },
  text: (of) => `insert into withdrawals
    (id, wallet, deposited, earned, hold_id, state, day, requested_at, nonce, wallet_signature)
    values (${of.id}, ${of.wallet}, 10000000, 500000, ${of.journalId}, ${of.state}, '2026-01-05', ${of.at}, ${of.nonce}, ${of.signature})`,
})

/** Inserts a withdrawal of 10.5 $COTTON, requested now. Its wallet is in no ledger. */
export async function addWithdrawal({ db, clock }: TestWorld, state: string): Promise<string> {
  const id = randomUUID()
  await db.rows(insertWithdrawal, {
    id,
    journalId: randomUUID(),
    state,
    at: clock.now(),
    wallet: 'WALLETofAplayerWALLETofAplayerWALLETofAplay',
    nonce: randomBytes(16).toString('hex'),
    signature: randomBytes(64),
  })
  return id
}

/** Removes every withdrawal, pause, snapshot, stored state and alert. */
export async function clearMoney({ db }: TestWorld): Promise<void> {
  for (const table of ['withdrawals', 'settings', 'solvency', 'alerts'])
    await db.rows(sql({ name: `test-clear-${table}`, text: `delete from ${table}` }))
}
