import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { type News, openNews, type Subject } from './news.ts'

const open: News[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((news) => news.stop()))
})

function newsOf(subject: Subject): { news: News; announced: string[] } {
  const announced: string[] = []
  const news = openNews({
    subjects: new Map([['land', subject]]),
    announce: (channel) => announced.push(channel),
    sharedOn: null,
    log: pino({ level: 'silent' }),
  })
  open.push(news)
  return { news, announced }
}

test('a change is over when a read that began after it has ended, and many changes share one', async () => {
  let [committed, reading, reads] = [0, 0, 0]
  let served = 0
  const { news } = newsOf({
    async refresh() {
      reads += 1
      reading += 1
      expect(reading).toBe(1)
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
    await news.changed('land')
    expect(served).toBeGreaterThanOrEqual(mine)
  })
  await Promise.all(calls)
  expect(reads).toBeLessThan(10)
})

test('what changed is announced; what did not is not', async () => {
  const said = [['prices', 'continent:EU'], []]
  const { news, announced } = newsOf({ refresh: async () => said.shift() ?? [] })
  await news.changed('land')
  await news.changed('land')
  expect(announced).toEqual(['prices', 'continent:EU'])
})

test('what an answer told already is announced without a read; what it could not tell is read', async () => {
  let reads = 0
  const { news, announced } = newsOf({
    async refresh() {
      reads += 1
      return ['read']
    },
  })
  await news.learned('land', ['prices'])
  await news.learned('land', [])
  expect([reads, announced]).toEqual([0, ['prices']])
  await news.learned('land', null)
  expect([reads, announced]).toEqual([1, ['prices', 'read']])
})

test('a database that fails costs a moment of freshness and no answer', async () => {
  let fails = true
  const { news, announced } = newsOf({
    async refresh() {
      if (fails) throw new Error('no connection')
      return ['prices']
    },
  })
  await news.changed('land')
  expect(announced).toEqual([])
  fails = false
  await expect.poll(() => announced, { timeout: 2_000 }).toEqual(['prices'])
})

test('what is no subject can neither be read nor learned', async () => {
  const { news, announced } = newsOf({ refresh: async () => [] })
  await expect(news.changed('weather')).rejects.toThrow('all of weather are subjects')
  await expect(news.learned('weather', ['prices'])).rejects.toThrow('all of weather are subjects')
  expect(announced).toEqual([])
})
