import './browser-stub.ts'
import { MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'

const { queryClient } = await import('./query-client.ts')
const { CallError } = await import('./call-error.ts')

const refused = () =>
  Promise.reject(new CallError({ code: 'offline', message: 'Offline.', status: 0, wasAnswered: false }))

afterEach(() => onlineManager.setOnline(true))

test('an action of an offline browser fails at once and does not run later', async () => {
  onlineManager.setOnline(false)
  let runs = 0
  const mutationFn = () => {
    runs += 1
    return refused()
  }
  const action = new MutationObserver<never, Error>(queryClient, { mutationFn })
  await expect(action.mutate()).rejects.toThrow('Offline.')
  onlineManager.setOnline(true)
  expect(runs).toBe(1)
})

test('a list that loads in an offline browser fails at once, and loads when the network is back', async () => {
  onlineManager.setOnline(false)
  let isOnline = false
  const queryFn = async () => (isOnline ? 'a list' : refused())
  const list = new QueryObserver(queryClient, { queryKey: ['list'], queryFn })
  const stop = list.subscribe(() => undefined)
  queryClient.mount()
  await expect.poll(() => list.getCurrentResult().status).toBe('error')
  isOnline = true
  onlineManager.setOnline(true)
  await expect.poll(() => list.getCurrentResult().data).toBe('a list')
  queryClient.unmount()
  stop()
})
