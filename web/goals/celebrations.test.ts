import '#web/api/browser-stub.ts'
import { beforeEach, expect, test } from 'vitest'
import { milestoneOf } from '#game/milestones.ts'

const { celebrateOnce, celebrations, endCelebration } = await import('./celebrations.ts')

const [picker, second] = [milestoneOf('first-picker')!, milestoneOf('kid-2')!]

beforeEach(() => {
  for (const { id } of celebrations.get()) endCelebration(id)
})

test('a response that arrives twice is celebrated once, and a new milestone in it still is', () => {
  celebrateOnce('ana', [picker])
  celebrateOnce('ana', [picker])
  celebrateOnce('ana', [picker, second])
  expect(celebrations.get().map(({ milestones }) => milestones)).toEqual([[picker], [second]])
})

test('celebrations wait for each other, and each player has their own', () => {
  celebrateOnce('ben', [picker])
  celebrateOnce('cem', [picker])
  const [first] = celebrations.get()
  endCelebration(first!.id)
  expect(celebrations.get().map(({ walletAddress }) => walletAddress)).toEqual(['cem'])
})
