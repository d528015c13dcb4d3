import { expect, test } from 'vitest'
import { WORKER_TYPES, WORKERS } from '#game/workers.ts'
import { depositMessages } from './en-deposit.ts'
import { withdrawalMessages } from './en-withdrawals.ts'

test('quick amounts name one picker or several of every type', () => {
  const texts = WORKER_TYPES.flatMap((workerType) =>
    [1, 5].map((count) => depositMessages.quickPickers(count, { ...WORKERS[workerType], workerType })),
  )
  expect(texts).toEqual([
    '1 Kid',
    '5 Kids',
    '1 Grandma',
    '5 Grandmas',
    '1 Grandad',
    '5 Grandads',
    '1 BigMan',
    '5 BigMen',
  ])
})

test('a button that waits for a signature does not ask to sign in', () => {
  for (const label of [depositMessages.steps.signing, withdrawalMessages.signing]) {
    expect(label).toContain('your wallet')
    expect(label).not.toMatch(/sign in/i)
  }
})
