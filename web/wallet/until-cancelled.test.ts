import { expect, test } from 'vitest'
import { untilCancelled } from './until-cancelled.ts'

test('what a wallet answers in time is passed on, also its refusal', async () => {
  const { signal } = new AbortController()
  await expect(untilCancelled(Promise.resolve('signed'), signal)).resolves.toBe('signed')
  await expect(untilCancelled(Promise.reject(new Error('declined')), signal)).rejects.toThrow('declined')
})

test('a wallet that never answers is waited for until the player cancels', async () => {
  const cancelling = new AbortController()
  const waiting = untilCancelled(new Promise(() => undefined), cancelling.signal)
  cancelling.abort()
  await expect(waiting).rejects.toBe(cancelling.signal.reason)
})

test('what a wallet answers after the cancellation is ignored', async () => {
  const aborted = AbortSignal.abort('cancelled')
  await expect(untilCancelled(Promise.resolve('signed'), aborted)).rejects.toBe('cancelled')
  await expect(untilCancelled(Promise.reject(new Error('late')), aborted)).rejects.toBe('cancelled')
})
