import { expect, test } from 'vitest'
import { baseUnits, cotton } from '#game/cotton.ts'
import { historyLabel, historyReason } from './history-label.ts'

type Item = Parameters<typeof historyLabel>[0]

const label = (kind: Item['kind'], detail: Item['detail'], amount: Item['amount'] = cotton(-1)) =>
  historyLabel({ kind, detail, amount })

const MALTA = { parcelId: 'EU-MT', countryName: 'Malta', regionName: 'Europe' }
const counterparty = '4XRsjRa1b2c3d4e5f6g7h8i9GE36'

test('a movement says in names what happened, with the id as detail (X-06)', () => {
  expect(label('hire', { workerId: 'kid-0042' })).toEqual({ label: 'Hired Kid', id: 'kid-0042' })
  expect(label('claim', { workerId: 'bigman-0001' })).toEqual({
    label: 'Claimed from BigMan',
    id: 'bigman-0001',
  })
  expect(label('claim', { workerType: 'grandma', workers: 5 }).label).toBe('Claimed from Grandma ×5')
  expect(label('claim', { workers: 3 }).label).toBe('Claimed from all pickers ×3')
  expect(label('claim', { workers: 12_345 }).label).toBe('Claimed from all pickers ×12,345')
  expect(label('parcel', MALTA)).toEqual({ label: 'Bought Malta, Europe', id: 'EU-MT' })
})

test('a resale says who sold to whom, from both sides', () => {
  const detail = { ...MALTA, counterparty }
  expect(label('resale', detail).label).toBe('Bought Malta from 4XRsjR…GE36')
  expect(label('resale', detail, cotton(900)).label).toBe('Sold Malta to 4XRsjR…GE36')
  expect(label('resale', MALTA, baseUnits(1n)).label).toBe('Sold Malta')
})

test('a movement without names has its id or its plain name', () => {
  expect(label('claim', {}).label).toBe('Claimed')
  expect(label('deposit', { signature: 'x' }).label).toBe('Deposit')
  expect(label('claim', { workerType: 'toString' }).label).toBe('Claimed')
  expect(label('hire', { workerId: 'robot-0001' })).toEqual({ label: 'Hired robot-0001', id: null })
  expect(label('gift' as Item['kind'], {})).toEqual({ label: 'gift', id: null })
  expect(label('hire', {}).label).toBe('Hired a picker')
  expect(label('parcel', { parcelId: 'EU-XX' })).toEqual({ label: 'Bought land', id: 'EU-XX' })
})

test('a refund and an adjustment say why', () => {
  expect(historyReason({ detail: { withdrawalId: 'w', reason: 'Write to us first.' } })).toBe(
    'Write to us first.',
  )
  expect(historyReason({ detail: { reason: '' } })).toBeNull()
  expect(historyReason({ detail: { workerId: 'kid-0042' } })).toBeNull()
})
