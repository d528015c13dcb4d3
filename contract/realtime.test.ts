import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { toJSONSchema } from 'zod/mini'
import { ServerMessageSchema, REALTIME_VERSION, ClientMessageSchema } from './realtime.ts'

test('no message of the socket changes its shape without a new version beside it (A-17)', () => {
  const shapes = JSON.stringify(
    [ClientMessageSchema, ServerMessageSchema].map((schema) => toJSONSchema(schema)),
  )
  const hash = createHash('sha256').update(shapes).digest('hex').slice(0, 16)
  expect({ version: REALTIME_VERSION, hash }).toEqual({ version: 4, hash: '038dbfff9fc2672f' })
})
