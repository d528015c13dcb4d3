import { expect, test } from 'vitest'
import { limitAtOnce } from './limit-at-once.ts'

/** Calls that end when the test resolves them. */
function createCalls(limit: ReturnType<typeof limitAtOnce>) {
  const started: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  const start = (name: string): Promise<string> => {
    const end = Promise.withResolvers<string>()
    ends.set(name, end)
    return limit(() => {
      started.push(name)
      return end.promise
    })
  }
  return { started, ends, start }
}

/** Until everything that can start has started. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('a few calls run at once, the others follow in their order, and too many are refused', async () => {
  const { started, ends, start } = createCalls(limitAtOnce({ max: 2, maxWaiting: 2 }))
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(start)
  await expect(start('e')).rejects.toThrow('busy')
  await turn()
  expect(started).toEqual(['a', 'b'])
  ends.get('b')!.resolve('done')
  expect(await b).toBe('done')
  await turn()
  expect(started).toEqual(['a', 'b', 'c'])
  ends.get('a')!.resolve('done')
  await a
  await turn()
  expect(started).toEqual(['a', 'b', 'c', 'd'])
  for (const name of ['c', 'd']) ends.get(name)!.resolve('done')
  await Promise.all([c, d])
  const again = start('f')
  ends.get('f')!.resolve('done')
  expect(await again).toBe('done')
})

test('a call that fails leaves its place to the next', async () => {
  const { ends, start } = createCalls(limitAtOnce({ max: 1, maxWaiting: 1 }))
  const [failing, next] = [start('failing'), start('next')]
  ends.get('failing')!.reject(new Error('a bug'))
  await expect(failing).rejects.toThrow('a bug')
  ends.get('next')!.resolve('done')
  expect(await next).toBe('done')
})
