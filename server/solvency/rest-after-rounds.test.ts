import { expect, test } from 'vitest'
import { restAfterRounds } from './rest-after-rounds.ts'

test('after a round of two seconds the work rests for eight', async () => {
  let now = 1_000
  const begun: number[] = []
  const work = async (): Promise<void> => {
    begun.push(now)
    now += 2_000
  }
  const round = restAfterRounds(work, () => now)
  for (; now <= 24_000; now += 500) await round()
  expect(begun).toEqual([1_000, 11_000, 21_000])
})

test('after a failure the work does not rest', async () => {
  let now = 0
  let times = 0
  const work = async (): Promise<void> => {
    times += 1
    now += 2_000
    if (times === 1) throw new Error('no answer')
  }
  const round = restAfterRounds(work, () => now)
  await expect(round()).rejects.toThrow('no answer')
  await round()
  await round()
  expect(times).toBe(2)
})
