import { expect, test } from 'vitest'
import { historyLabel, historyReason } from './history-label.ts'

test('a movement states its purpose (X-06)', () => {
  expect(historyLabel({ kind: 'hire', detail: { workerId: 'kid-0042' } })).toBe('Hired kid-0042')
  expect(historyLabel({ kind: 'claim', detail: { workerType: 'grandma', workers: 5 } })).toBe(
    'Claimed from Grandma ×5',
  )
  expect(historyLabel({ kind: 'claim', detail: { workers: 3 } })).toBe('Claimed from all pickers ×3')
  expect(historyLabel({ kind: 'claim', detail: { workerId: 'kid-0001' } })).toBe('Claimed from kid-0001')
})

test('a movement without details has its plain name', () => {
  expect(historyLabel({ kind: 'claim', detail: {} })).toBe('Claimed')
  expect(historyLabel({ kind: 'deposit', detail: { signature: 'x' } })).toBe('Deposit')
  expect(historyLabel({ kind: 'claim', detail: { workerType: 'toString' } })).toBe('Claimed')
})

test('a refund and an adjustment say why', () => {
  expect(historyReason({ detail: { withdrawalId: 'w', reason: 'Write to us first.' } })).toBe(
    'Write to us first.',
  )
  expect(historyReason({ detail: { reason: '' } })).toBeNull()
  expect(historyReason({ detail: { workerId: 'kid-0042' } })).toBeNull()
})
