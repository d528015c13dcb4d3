import { QueryClient } from '@tanstack/react-query'
import '#web/api/browser-stub.ts'
import { expect, test } from 'vitest'
import { WORKER_TYPES } from '#game/workers.ts'
import { WORKER_TYPES_KEY } from '#web/api/use-worker-types.ts'
import { updateWorkerTypes } from './update-worker-types.ts'

const fact = (workerType: 'kid' | 'bigman', sold: number) => ({
  workerType,
  name: workerType,
  maxSupply: 100,
  sold,
  available: 100 - sold,
  progress: sold,
  price: 50_000,
  generationRate: 1,
  image: '',
})

test('pushed supplies are shown, unless they are older than what is shown (S-97)', () => {
  const client = new QueryClient()
  updateWorkerTypes(client, { kid: fact('kid', 5) })
  expect(client.getQueryData(WORKER_TYPES_KEY)).toBeUndefined()

  const workerTypes = Object.fromEntries(WORKER_TYPES.map((type) => [type, fact(type as 'kid', 10)]))
  client.setQueryData(WORKER_TYPES_KEY, { success: true, workerTypes })
  updateWorkerTypes(client, { kid: fact('kid', 12), bigman: fact('bigman', 9) })
  expect(client.getQueryData(WORKER_TYPES_KEY)).toMatchObject({
    workerTypes: { kid: { sold: 12 }, bigman: { sold: 10 }, grandma: { sold: 10 } },
  })
})
