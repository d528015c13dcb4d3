import { expect, test } from 'vitest'
import type { Address } from '#server/chain/port.ts'
import type { BalanceMismatch } from './find-mismatches.ts'
import { UnexplainedBalances } from './unexplained-balances.ts'

const mismatch = (of: Partial<BalanceMismatch> = {}) =>
  ({ tokenAccount: 'one', amount: 5n, expected: 3n, ...of }) as BalanceMismatch

test('the history of a balance that stays unexplained is read after 1, 2, 4 … and at most 64 rounds', () => {
  const unexplained = new UnexplainedBalances()
  const reads: number[] = []
  for (let round = 0; round < 300; round++) {
    if (!unexplained.isDue(mismatch(), round)) continue
    unexplained.markRead(mismatch(), round)
    reads.push(round)
  }
  expect(reads).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 191, 255])
})

test('a change of the balance or of the expectation is read at once, and the pause begins anew', () => {
  for (const changed of [mismatch({ amount: 6n }), mismatch({ expected: 4n })]) {
    const unexplained = new UnexplainedBalances()
    for (const round of [0, 1, 3]) unexplained.markRead(mismatch(), round)
    expect(unexplained.isDue(mismatch(), 4)).toBe(false)
    expect(unexplained.isDue(changed, 4)).toBe(true)
    unexplained.markRead(changed, 4)
    expect([4, 5].map((round) => unexplained.isDue(changed, round))).toEqual([false, true])
  }
})

test('an explained balance is forgotten, and no other', () => {
  const unexplained = new UnexplainedBalances()
  const two = mismatch({ tokenAccount: 'two' as Address })
  for (const each of [mismatch(), two]) unexplained.markRead(each, 10)
  unexplained.markExplained(['one', 'three'])
  expect([mismatch(), two].map((each) => unexplained.isDue(each, 10))).toEqual([true, false])
})

test('at most fifty thousand balances are remembered, and then all are forgotten', () => {
  const unexplained = new UnexplainedBalances()
  const at = (number: number) => mismatch({ tokenAccount: `account ${number}` as Address })
  for (let number = 1; number <= 50_000; number++) unexplained.markRead(at(number), 0)
  expect([1, 50_000].map((number) => unexplained.isDue(at(number), 0))).toEqual([false, false])
  unexplained.markRead(at(50_001), 0)
  expect([1, 50_000, 50_001].map((number) => unexplained.isDue(at(number), 0))).toEqual([true, true, false])
})
