import { expect, test } from 'vitest'
import { limitByName } from './limit-by-name.ts'

test('calls of one name run one after the other, too many are refused, and other names do not wait', async () => {
  const inTurn = limitByName({ maxWaiting: 1 })
  const events: string[] = []
  const first = Promise.withResolvers<void>()
  const running = inTurn('ana', () => first.promise.then(() => void events.push('ana 1')))
  const waiting = inTurn('ana', async () => void events.push('ana 2'))
  await expect(inTurn('ana', async () => void events.push('ana 3'))).rejects.toThrow('too_many_requests')
  await inTurn('bo', async () => void events.push('bo'))
  first.resolve()
  await Promise.all([running, waiting])
  expect(events).toEqual(['bo', 'ana 1', 'ana 2'])
  expect(await inTurn('ana', async () => 'again')).toBe('again')
})

test('a call that fails leaves its place to the next', async () => {
  const inTurn = limitByName({ maxWaiting: 1 })
  const failing = inTurn('ana', () => Promise.reject(new Error('a bug')))
  const next = inTurn('ana', async () => 'done')
  await expect(failing).rejects.toThrow('a bug')
  expect(await next).toBe('done')
})

test('a few calls of one name run at once, if so many are allowed', async () => {
  const limit = limitByName({ max: 2, maxWaiting: 1 })
  const end = Promise.withResolvers<void>()
  let started = 0
  const start = (name: string) =>
    limit(name, () => {
      started += 1
      return end.promise
    })
  const calls = [start('ana'), start('ana'), start('ana'), start('bo')]
  await expect.poll(() => started).toBe(3)
  end.resolve()
  await Promise.all(calls)
  expect(started).toBe(4)
})
