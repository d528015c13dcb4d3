import './browser-stub.ts'
import { afterEach, expect, test, vi } from 'vitest'

const { session, startSession } = await import('./session.ts')
const { download } = await import('./download.ts')

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a download with an expired session ends it, so that the player logs in again', async () => {
  startSession({ token: 't', walletAddress: 'ana' })
  vi.stubGlobal('fetch', async () => new Response(null, { status: 401 }))
  await expect(download('/api/users/history.csv', 'history.csv')).rejects.toThrow('401')
  expect(session.get()).toMatchObject({ token: null, ended: 'expired' })
})

test('a download that fails otherwise does not end the session, nor one that has changed meanwhile', async () => {
  startSession({ token: 't', walletAddress: 'ana' })
  vi.stubGlobal('fetch', async () => new Response(null, { status: 503 }))
  await expect(download('/api/users/history.csv', 'history.csv')).rejects.toThrow('503')
  vi.stubGlobal('fetch', async () => {
    startSession({ token: 'newer', walletAddress: 'ana' })
    return new Response(null, { status: 401 })
  })
  await expect(download('/api/users/history.csv', 'history.csv')).rejects.toThrow('401')
  expect(session.get().token).toBe('newer')
})

test('a download that does not begin in time fails, so that its button is not busy for ever', async () => {
  vi.useFakeTimers()
  vi.stubGlobal(
    'fetch',
    (_path: string, { signal }: RequestInit) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')))
      }),
  )
  const failed = expect(download('/api/users/history.csv', 'history.csv')).rejects.toThrow('aborted')
  vi.advanceTimersByTime(30_000)
  await failed
})
