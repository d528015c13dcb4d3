import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createQueryReader } from './parse.ts'

const schema = z.strictObject({ region: z.optional(z.enum(['EU', 'AS'])) })
const asked = (words: string) => ({
  url: `/api/land${words && `?${words}`}`,
  query: Object.fromEntries(new URLSearchParams(words)),
})

test('a repeated query is parsed from the cache, another one is not, and an invalid one is refused each time', () => {
  const read = createQueryReader(schema)
  for (let time = 0; time < 2; time++) {
    expect(read(asked('region=EU'))).toEqual({ region: 'EU' })
    expect(read(asked('region=AS'))).toEqual({ region: 'AS' })
    expect(read(asked(''))).toEqual({})
    for (const wrong of ['region=XX', 'region=EU&owner=x', `region=${'E'.repeat(2_000)}`]) {
      expect(() => read(asked(wrong))).toThrow('malformed')
    }
  }
  for (let at = 0; at < 2_000; at++) expect(() => read(asked(`region=${at}`))).toThrow('malformed')
  expect(read(asked('region=EU'))).toEqual({ region: 'EU' })
})
