import { expect, test } from 'vitest'
import type { SignatureStatus } from '#server/chain/port.ts'
import {
  type AccountReading,
  type OwnTransaction,
  type ReserveReading,
  compareReserve,
} from './compare-reserve.ts'

const SLOT = 100n

const final = (slot: bigint, failed = false): SignatureStatus => ({ slot, commitment: 'finalized', failed })

const account = (of: Partial<AccountReading>): AccountReading => ({
  credited: 0n,
  creditedBySlot: of.credited ?? 0n,
  sweptBefore: 0n,
  chain: null,
  later: null,
  ...of,
})

function compared({
  accounts = {},
  ...of
}: Partial<Omit<ReserveReading, 'accounts'>> & { accounts?: Record<string, AccountReading> }) {
  const owed = { deposited: 0n, pool: 0n, held: 0n }
  return compareReserve({
    slot: SLOT,
    treasury: 0n,
    cold: 0n,
    sweeps: [],
    openPayouts: [],
    settledPayouts: [],
    owed,
    fundedAhead: 0n,
    unproven: 0n,
    ...of,
    accounts: new Map(Object.entries(accounts)),
  })
}

test('a sweep between two pages counts once', () => {
  const a = account({ credited: 70n, chain: { slot: 90n, amount: 70n } })
  const owed = { deposited: 70n, pool: 0n, held: 0n }
  const at = (slot: bigint, treasury: bigint, amount: bigint) =>
    compared({
      accounts: { a: { ...a, chain: { slot: 90n, amount } } },
      owed,
      treasury,
      sweeps: [{ account: 'a', amount: 70n, status: final(slot) }],
    })
  expect(at(95n, 70n, 70n)).toMatchObject({ surplus: 0n, free: 0n })
  expect(at(90n, 70n, 0n)).toMatchObject({ surplus: 0n, free: 0n })
  expect(at(101n, 0n, 70n)).toMatchObject({ surplus: 0n, free: 0n })
})

test('tokens that a sweep may have moved after their account was read are not free twice', () => {
  const at = (readAt: bigint, status: SignatureStatus | null, treasury: bigint) =>
    compared({
      accounts: { a: account({ credited: 30n, chain: { slot: readAt, amount: 30n } }) },
      owed: { deposited: 30n, pool: 0n, held: 0n },
      sweeps: [{ account: 'a', amount: 30n, status }],
      treasury,
    }).free
  expect(at(90n, null, 30n)).toBe(0n)
  expect(at(90n, { ...final(95n), commitment: 'confirmed' }, 30n)).toBe(0n)
  expect(at(90n, final(95n, true), 0n)).toBe(0n)
  // The account and the treasury were read at one slot, so the sweep has not moved anything by then.
  expect(at(SLOT, null, 0n)).toBe(0n)
})

test('a deposit that was credited from a later slot than the page is not expected in it', () => {
  const accounts = { a: account({ credited: 30n, creditedBySlot: 10n, chain: { slot: 90n, amount: 10n } }) }
  expect(compared({ accounts, owed: { deposited: 30n, pool: 0n, held: 0n } }).surplus).toBe(0n)
})

test('an account that was empty at the start of the snapshot counts with its expected balance', () => {
  const accounts = { a: account({ credited: 30n, sweptBefore: 10n }) }
  expect(compared({ accounts, treasury: 10n, owed: { deposited: 30n, pool: 0n, held: 0n } }).surplus).toBe(0n)
})

test('an account that was credited during the snapshot counts with what a node shows of it afterwards', () => {
  const at = (later: bigint, slot: bigint) =>
    compared({
      accounts: { a: account({ credited: 30n, sweptBefore: 10n, later }) },
      treasury: 10n,
      owed: { deposited: 30n, pool: 0n, held: 0n },
      sweeps: [{ account: 'a', amount: 4n, status: final(slot) }],
    })
  expect(at(20n, SLOT + 1n)).toMatchObject({ surplus: 0n, uncertain: 0n })
  expect(at(16n, SLOT + 1n)).toMatchObject({ surplus: 0n, uncertain: 0n })
  expect(at(15n, SLOT + 1n)).toMatchObject({ surplus: -1n, uncertain: 1n, creditedAhead: 19n })
  expect(at(15n, SLOT)).toMatchObject({ surplus: -5n, uncertain: 1n, creditedAhead: 15n })
})

test('payouts that landed but are not settled count, and those settled from later slots do not', () => {
  const pay = (slot: bigint, failed = false): OwnTransaction => ({ amount: 5n, status: final(slot, failed) })
  const owed = { deposited: 0n, pool: 0n, held: 5n }
  expect(compared({ owed, openPayouts: [pay(SLOT)] }).surplus).toBe(0n)
  expect(compared({ owed, treasury: 5n, openPayouts: [pay(SLOT + 1n)] }).surplus).toBe(0n)
  expect(compared({ owed, treasury: 5n, openPayouts: [pay(SLOT, true)] }).surplus).toBe(0n)
  expect(compared({ treasury: 5n, settledPayouts: [pay(SLOT + 1n)] }).surplus).toBe(0n)
  expect(compared({ settledPayouts: [pay(SLOT)] }).surplus).toBe(0n)
  const lagging = compared({ owed, openPayouts: [{ amount: 5n, status: null }] })
  expect(lagging).toMatchObject({ surplus: -5n, uncertain: 5n })
  const confirmed = { ...final(SLOT), commitment: 'confirmed' } as const
  const notFinal = compared({ owed, openPayouts: [{ amount: 5n, status: confirmed }] })
  expect(notFinal).toMatchObject({ surplus: -5n, uncertain: 5n })
  expect(compared({ settledPayouts: [{ amount: 5n, status: null }] }).surplus).toBe(0n)
  expect(compared({ owed, openPayouts: [pay(SLOT)] }).free).toBe(0n)
})

test('deposits that are not credited yet are a surplus but never free, swept or not', () => {
  const accounts = { a: account({ credited: 10n, chain: { slot: SLOT, amount: 25n } }) }
  const owed = { deposited: 10n, pool: 0n, held: 0n }
  expect(compared({ accounts, owed })).toMatchObject({ surplus: 15n, free: 0n })
  const sweeps = [{ account: 'a', amount: 25n, status: final(99n) }]
  const swept = { a: account({ credited: 10n, chain: { slot: SLOT, amount: 0n } }) }
  expect(compared({ accounts: swept, sweeps, treasury: 25n, owed })).toMatchObject({ surplus: 15n, free: 0n })
  const gone = { a: account({ credited: 10n, sweptBefore: 25n }) }
  expect(compared({ accounts: gone, treasury: 25n, owed })).toMatchObject({ surplus: 15n, free: 0n })
  expect(compared({ accounts, owed, treasury: 7n }).free).toBe(7n)
})

test('tokens stolen from a deposit account are missed, whatever deposits are not credited yet', () => {
  const accounts = { a: account({ credited: 10n, chain: { slot: SLOT, amount: 4n } }) }
  const owed = { deposited: 10n, pool: 0n, held: 0n }
  expect(compared({ accounts, owed })).toMatchObject({ surplus: -6n, free: -6n })
})
