import { expect } from 'vitest'
import { interceptStatements } from '#tests/support/intercept-statements.ts'
import { test } from '#tests/support/test-world.ts'
import { readWorkerSupply, workerTypesOnWire } from './read-workers.ts'

test('a type of which the world offers none is sold out', async ({ world }) => {
  const supply = await readWorkerSupply(world.db)
  const { bigman } = workerTypesOnWire({ ...supply, bigman: { maxSupply: 0, sold: 0 } })
  expect(bigman).toMatchObject({ available: 0, progress: 100 })
})

test('a database that lacks a worker type says which, and what adds it', async ({ world }) => {
  const without = interceptStatements(world.db, async (_statement, run) =>
    ((await run()) as { worker_type: string }[]).filter((row) => row.worker_type !== 'bigman'),
  )
  await expect(readWorkerSupply(without)).rejects.toThrow(
    'The database has no worker type "bigman". "node server/main.ts migrate" adds it.',
  )
})
