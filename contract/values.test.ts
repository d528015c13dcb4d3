import { expect, test } from 'vitest'
import { WORKER_TYPES, workerId } from '#game/workers.ts'
import { WorkerId } from './values.ts'

test('a worker id is a worker type and a number of 4 to 8 digits', () => {
  for (const type of WORKER_TYPES)
    for (const number of [1, 9_999, 10_000, 99_999_999])
      expect(WorkerId.parse(workerId(type, number))).toBe(workerId(type, number))
  const invalid = ['wizard-0001', 'kid-001', 'kid-123456789', 'kid', 'kid-0001x', 'xkid-0001', 'kid-0001\n']
  for (const id of invalid) expect([id, WorkerId.safeParse(id).success]).toEqual([id, false])
})
