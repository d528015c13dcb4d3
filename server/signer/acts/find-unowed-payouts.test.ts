import { expect, test } from 'vitest'
import type { Signature } from '#server/chain/port.ts'
import type { Queryable } from '#server/platform/db/db.ts'
import { compareWithBooks } from './find-unowed-payouts.ts'

test('the books are asked about every payout of a long history, a thousand in each statement', async () => {
  const asked: number[] = []
  // Books in which each withdrawal was paid.
  const db = {
    async rows({ name }: { name: string }, { ids }: { ids: readonly string[] } = { ids: [] }) {
      if (name !== 'reconcile-read-payouts') return []
      asked.push(ids.length)
      return ids.map((id) => ({ id, state: 'finalized', signatures: [`payout of ${id}`] }))
    },
  } as unknown as Queryable
  const ids = Array.from({ length: 2_500 }, (_, at) => `withdrawal ${at}`)
  const names = new Map(
    ids.map((id) => {
      const signature = `payout of ${id}` as Signature
      return [signature, [{ id, signature }]] as const
    }),
  )
  const { landed, unowed, unsure } = await compareWithBooks(db, { names, spent: new Map() })
  expect({ landed: landed.size, unowed, unsure }).toEqual({ landed: 2_500, unowed: [], unsure: [] })
  expect(asked).toEqual([1_000, 1_000, 500])
})
