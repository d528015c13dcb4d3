import { expect, test } from 'vitest'
import { baseUnits, cotton, ZERO } from '#game/cotton.ts'
import { complete, orNull, UNKNOWN, UNKNOWN_AMOUNT } from './complete.ts'

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

test('a complete reply stays the same, with fields that the example lacks', () => {
  expect(complete(EXAMPLE, { ...WHOLE, more: 1 })).toEqual({ ...WHOLE, more: 1 })
})

test('a field that is missing, null or of another type comes from the example', () => {
  for (const nothing of [undefined, null, {}, []]) {
    const wrong = { total: nothing, name: nothing, open: nothing, items: nothing }
    expect(complete(EXAMPLE, wrong)).toEqual({ ...EXAMPLE, pause: null, items: [] })
  }
  for (const answer of [null, undefined, 'no', 5, []]) {
    expect(complete(EXAMPLE, answer)).toEqual({ ...EXAMPLE, pause: null, items: [] })
  }
  expect(complete(EXAMPLE, { ...WHOLE, pause: {} }).pause).toEqual({ reason: '–' })
})

test('an amount is read in base units; one that the reply lacks is null or the default of the example', () => {
  const example = { price: UNKNOWN_AMOUNT, total: ZERO, held: orNull(UNKNOWN_AMOUNT) }
  const units = { price: baseUnits(14_583_333n), total: cotton(5), held: cotton(-1) }
  expect(complete(example, { price: 14.583333, total: 5, held: -1 })).toEqual(units)
  expect(complete(example, units)).toEqual(units)
  expect(complete({ ...example, total: cotton(7) }, { total: 'many', price: null })).toEqual({
    price: null,
    total: cotton(7),
    held: null,
  })
})

test('an element of a list without its identifying text is left out', () => {
  const items = [{ id: null, owner: 'Bob' }, { owner: 'Bob' }, null, 'one', { id: 'two' }]
  expect(complete(EXAMPLE, { items }).items).toEqual([{ id: 'two', owner: null, tags: [] }])
})
