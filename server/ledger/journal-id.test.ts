import { expect, test } from 'vitest'
import { createJournalId, firstJournalId } from './journal-id.ts'

const START = Date.UTC(2026, 10, 23)

test('the ids of one process strictly ascend, within a millisecond and while its clock goes back a little', () => {
  const steps = [0, 0, 1, 1, -5, 0, 3, -60_000, 0, 0]
  const ids = Array.from({ length: 2_000 }, (_, at) =>
    createJournalId(new Date(START + steps[at % 10]! + at)),
  )
  expect(ids).toEqual([...new Set(ids)].toSorted())
})

test('an id names its version and its instant', () => {
  const at = new Date(START + 100_000)
  expect(createJournalId(at)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Number.parseInt(createJournalId(at).replace('-', '').slice(0, 12), 16)).toBe(at.getTime())
})

test('ids follow a clock that is set back by more than five minutes, so that they are in the range of their day', () => {
  const ahead = START + 7_200_000
  const [first, soonAfter] = [ahead, ahead - 300_000].map((ms) => createJournalId(new Date(ms)))
  expect(first! < soonAfter!).toBe(true)
  const at = new Date(ahead - 300_001)
  const ids = [createJournalId(at), createJournalId(at)]
  expect(ids).toEqual(ids.toSorted())
  expect(firstJournalId(at) <= ids[0]!).toBe(true)
  expect(ids[1]! < firstJournalId(new Date(at.getTime() + 1))).toBe(true)
})

test('no two ids have the same random part', () => {
  const tails = Array.from({ length: 2_000 }, (_, at) =>
    createJournalId(new Date(START + 200_000 + at)).slice(-12),
  )
  expect(new Set(tails).size).toBe(2_000)
})

test('the first id of an instant is not above its ids and above all earlier ones', () => {
  const at = new Date(START + 300_000)
  const id = createJournalId(at)
  expect(firstJournalId(at) <= id).toBe(true)
  expect(firstJournalId(new Date(at.getTime() + 1)) > id).toBe(true)
  expect(firstJournalId(new Date(0))).toBe('00000000-0000-0000-0000-000000000000')
})
