import '#web/api/browser-stub.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WALLET_KEY } from '#web/storage-keys.ts'
import { pressOnce } from './press-once.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.advanceTimersByTime(600)
  vi.useRealTimers()
  localStorage.clear()
})

test('an action starts once, however often it is pressed while it runs and in the 600 ms after it', async () => {
  let started = 0
  let answer = (): void => undefined
  const act = () => {
    started += 1
    return new Promise<void>((resolve) => {
      answer = resolve
    })
  }
  pressOnce('buy', act)
  pressOnce('buy', act)
  expect(started).toBe(1)
  await vi.advanceTimersByTimeAsync(60_000)
  pressOnce('buy', act)
  expect(started).toBe(1)
  answer()
  await vi.advanceTimersByTimeAsync(599)
  pressOnce('buy', act)
  expect(started).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  pressOnce('buy', act)
  expect(started).toBe(2)
  answer()
  await vi.advanceTimersByTimeAsync(0)
})

test('an action that fails or throws can be retried after the same cooldown; other actions do not wait for it', async () => {
  const tried: string[] = []
  const fail = (name: string) => () => {
    tried.push(name)
    return Promise.reject(new Error('lost'))
  }
  pressOnce('lost', fail('lost'))
  pressOnce('lost', fail('again'))
  pressOnce('other', fail('other'))
  await vi.advanceTimersByTimeAsync(600)
  pressOnce('lost', fail('later'))
  const broken = () => {
    throw new Error('broken')
  }
  expect(() => pressOnce('broken', broken)).toThrow('broken')
  expect(() => pressOnce('broken', broken)).not.toThrow()
  await vi.advanceTimersByTimeAsync(600)
  expect(() => pressOnce('broken', broken)).toThrow('broken')
  expect(tried).toEqual(['lost', 'other', 'later'])
})

test('the action of a wallet does not stop another wallet, nor end the cooldown of its action', async () => {
  const started: string[] = []
  const answers: (() => void)[] = []
  const pressAs = (wallet: string) => {
    localStorage.setItem(WALLET_KEY, wallet)
    pressOnce('claim', () => {
      started.push(wallet)
      return new Promise<void>((resolve) => answers.push(resolve))
    })
  }
  pressAs('ana')
  pressAs('ben')
  answers[0]!()
  await vi.advanceTimersByTimeAsync(600)
  pressAs('ben')
  expect(started).toEqual(['ana', 'ben'])
  pressAs('ana')
  expect(started).toEqual(['ana', 'ben', 'ana'])
  for (const answer of answers) answer()
  await vi.advanceTimersByTimeAsync(0)
})
