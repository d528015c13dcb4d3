import '#web/api/browser-stub.ts'
import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { WorkerType } from '#game/workers.ts'
import { type OwnedWorker, parseOwnedWorkers } from '#web/api/use-owned-workers.ts'
import { firstOf, type Group, groupWorkers, readyOf } from './group-workers.ts'

const AT = '2026-11-20T12:00:00.000Z'
const NOW = new Date(AT)

const worker = (workerType: WorkerType, number: number, total: number, claimed: number) => ({
  workerId: `${workerType}-000${number}`,
  workerType,
  totalGeneratedTokens: total,
  claimedGeneratedTokens: claimed,
  unclaimedTokens: 0,
  generationRate: 5_000,
  purchaseDate: AT,
  lastTokenUpdate: AT,
})

const WORKERS: readonly OwnedWorker[] = parseOwnedWorkers([
  worker('grandad', 1, 10, 0),
  worker('kid', 1, 900, 890),
  worker('kid', 2, 50, 10),
  worker('kid', 3, 60, 20),
])

const idsOf = (groups: readonly Group[]): string[] =>
  groups.flatMap(({ workers }) => workers.map(({ workerId }) => workerId))

test('pickers are grouped by type in the order of the game, without types of which the player owns none (S-49)', () => {
  const groups = groupWorkers(WORKERS, 'oldest', NOW)
  expect(groups.map(({ type, workers }) => [type, workers.length])).toEqual([
    ['kid', 3],
    ['grandad', 1],
  ])
})

test('pickers are sorted within their type, and equal ones stay in the order of their hire', () => {
  const sorted = (sort: Parameters<typeof groupWorkers>[1]) => idsOf(groupWorkers(WORKERS, sort, NOW))
  expect(sorted('oldest')).toEqual(['kid-0001', 'kid-0002', 'kid-0003', 'grandad-0001'])
  expect(sorted('newest')).toEqual(['kid-0003', 'kid-0002', 'kid-0001', 'grandad-0001'])
  expect(sorted('ready')).toEqual(['kid-0002', 'kid-0003', 'kid-0001', 'grandad-0001'])
  expect(sorted('generated')).toEqual(['kid-0001', 'kid-0003', 'kid-0002', 'grandad-0001'])
})

test('a group shows what all of its pickers have ready', () => {
  expect(readyOf(groupWorkers(WORKERS, 'oldest', NOW)[0]!.workers, NOW)).toBe(cotton(90))
})

test('the first pickers end in the middle of a group, and later groups wait', () => {
  const groups = groupWorkers(WORKERS, 'oldest', NOW)
  expect(idsOf(firstOf(groups, 2))).toEqual(['kid-0001', 'kid-0002'])
  expect(firstOf(groups, 3)).toHaveLength(1)
  expect(idsOf(firstOf(groups, 60))).toHaveLength(4)
})
