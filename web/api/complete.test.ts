import { expect, test } from 'vitest'
import { complete, orNull, UNKNOWN } from './complete.ts'

const EXAMPLE = {
  total: UNKNOWN,
  name: '–',
  open: false,
  tier: undefined as number | undefined,
  pause: orNull({ reason: '–' }),
  items: [{ id: '', owner: orNull('–'), tags: ['–'] }],
}
const WHOLE = {
  total: 5,
  name: 'Europe',
  open: true,
  tier: 2,
  pause: { reason: 'Late.' },
  items: [{ id: 'one', owner: 'Ana', tags: ['new'] }],
}

test('a whole answer stays as it is, with what the example does not know', () => {
  expect(complete(EXAMPLE, { ...WHOLE, more: 1 })).toEqual({ ...WHOLE, more: 1 })
})

test('what is missing, null or of another kind comes from the example', () => {
  for (const nothing of [undefined, null, {}, []]) {
    const wrong = { total: nothing, name: nothing, open: nothing, items: nothing }
    expect(complete(EXAMPLE, wrong)).toEqual({ ...EXAMPLE, pause: null, items: [] })
  }
  for (const answer of [null, undefined, 'no', 5, []]) {
    expect(complete(EXAMPLE, answer)).toEqual({ ...EXAMPLE, pause: null, items: [] })
  }
  expect(complete(EXAMPLE, { ...WHOLE, pause: {} }).pause).toEqual({ reason: '–' })
})

test('an element of a list that cannot be told apart from others is left out', () => {
  const items = [{ id: null, owner: 'Bob' }, { owner: 'Bob' }, null, 'one', { id: 'two' }]
  expect(complete(EXAMPLE, { items }).items).toEqual([{ id: 'two', owner: null, tags: [] }])
})
