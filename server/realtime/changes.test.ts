import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { type Changes, openChanges, type ChangeSource } from './changes.ts'

const open: Changes[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((changes) => changes.stop()))
  vi.useRealTimers()
})

function changesOf(source: ChangeSource): { changes: Changes; announced: string[] } {
  const announced: string[] = []
  const changes = openChanges({
    sources: new Map([['land', source]]),
    announce: (channel) => announced.push(channel),
    busDatabaseUrl: null,
    log: pino({ level: 'silent' }),
  })
  open.push(changes)
  return { changes, announced }
}

test('a published change resolves after a read that began later, and many changes share one read', async () => {
  let [committed, reading, mostAtOnce, reads] = [0, 0, 0, 0]
  let served = 0
  const { changes } = changesOf({
    async refresh() {
      reads += 1
      reading += 1
      mostAtOnce = Math.max(mostAtOnce, reading)
      const seen = committed
      await sleep(20)
      served = seen
      reading -= 1
      return []
    },
  })
  const calls = Array.from({ length: 100 }, async (_, at) => {
    await sleep(at % 30)
    const mine = ++committed
    await changes.publish('land')
    expect(served).toBeGreaterThanOrEqual(mine)
  })
  await Promise.all(calls)
  expect(mostAtOnce).toBe(1)
  expect(reads).toBeLessThan(10)
})

test('channels that changed are announced, others are not', async () => {
  const said = [['prices', 'continent:EU'], []]
  const { changes, announced } = changesOf({ refresh: async () => said.shift() ?? [] })
  await changes.publish('land')
  await changes.publish('land')
  expect(announced).toEqual(['prices', 'continent:EU'])
})

test('an applied change is announced without a read; one that could not be applied is read', async () => {
  let reads = 0
  const { changes, announced } = changesOf({
    async refresh() {
      reads += 1
      return ['read']
    },
  })
  await changes.publishApplied('land', ['prices'])
  await changes.publishApplied('land', [])
  expect([reads, announced]).toEqual([0, ['prices']])
  await changes.publishApplied('land', null)
  expect([reads, announced]).toEqual([1, ['prices', 'read']])
})

test('a failing database delays changes until the next poll, 1.5 s later, and fails no call', async () => {
  vi.useFakeTimers()
  let fails = true
  const { changes, announced } = changesOf({
    async refresh() {
      if (fails) throw new Error('no connection')
      return ['prices']
    },
  })
  await changes.publish('land')
  expect(announced).toEqual([])
  fails = false
  await vi.advanceTimersByTimeAsync(1_499)
  expect(announced).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(announced).toEqual(['prices'])
})

test('an unknown source can neither be published nor applied', async () => {
  const { changes, announced } = changesOf({ refresh: async () => [] })
  await expect(changes.publish('weather')).rejects.toThrow('weather is a source')
  await expect(changes.publishApplied('weather', ['prices'])).rejects.toThrow('weather is a source')
  expect(announced).toEqual([])
})
