import { expect, test } from 'vitest'
import { checkHistory } from './check-history.ts'
import { EMPTY, exchange, faultsOf, hire, HIRED, KID } from './written-history.ts'

test('several claims of unknown outcome have paid together what the worker says', () => {
  const claims = [1, 3].flatMap((at) => exchange([at, at + 1], ['ana', 'claim', { workerId: 'kid-1' }, null]))
  const read = (balance: number) => exchange([5, 6], ['ana', 'read-balance', {}, { balance }], null)
  const check = (balance: number, paid: number, end = 1000 + paid): string =>
    checkHistory([
      { ...EMPTY, ...HIRED, balances: EMPTY.balances },
      ...claims,
      ...read(balance),
      {
        ...EMPTY,
        ...HIRED,
        at: 100,
        workers: [{ ...KID, claimed: paid }],
        balances: { ana: end, bob: 1000 },
      },
    ]).faults.join('\n')
  for (const end of [1005, 1014])
    expect(check(1004, 10, end)).toMatch(/The balance of ana is wrong\. .* all changes together are 10\./)
  expect(check(1000, 10)).toBe('')
  expect(check(1004, 10)).toBe('')
  expect(check(1010, 10)).toBe('')
  expect(check(1050, 10)).toMatch('The balance of ana is wrong.')
})

test('claims of several workers, each of unknown amount, may have paid before the same answer', () => {
  const ids = ['kid-1', 'kid-2']
  const claims = ids.flatMap((workerId) =>
    [1, 3].flatMap((at) => exchange([at, at + 1], ['ana', 'claim', { workerId }, null])),
  )
  const state = (at: number, claimed: number) => ({
    ...EMPTY,
    at,
    workers: ids.map((id) => ({ ...KID, id, claimed })),
    supply: { kid: { sold: 2, max: 2 } },
    balances: { ana: 1000 + 2 * claimed, bob: 1000 },
  })
  const check = (balance: number): string => {
    const read = exchange([5, 6], ['ana', 'read-balance', {}, { balance }], null)
    return checkHistory([state(0, 0), ...claims, ...read, state(100, 5)]).faults.join('\n')
  }
  for (const balance of [1000, 1004, 1008, 1010]) expect(check(balance)).toBe('')
  expect(check(1011)).toMatch('The balance of ana is wrong. The answers fit no order.')
})

test('a parcel is paid for if it is owned, and only then, also if nobody was answered', () => {
  const buy = (wallet: string, at: [number, number]) =>
    exchange(at, [wallet, 'buy-parcel', { parcelId: 'p', price: 10 }, null])
  const first = buy('ana', [1, 2])
  const wrong = 'The balance of ana is wrong.'
  const paid = { ana: 990, bob: 1000 }
  expect(faultsOf(first)).toBe('')
  expect(faultsOf(first, { owners: { p: 'ana' }, balances: paid })).toBe('')
  expect(faultsOf(first, { owners: { p: 'ana' } })).toMatch(wrong)
  expect(faultsOf(first, { balances: paid })).toMatch(wrong)
  // At once, or repeated with another key: one of them happened.
  for (const other of [buy('bob', [1, 2]), buy('ana', [3, 4])]) {
    const both = [...first, ...other]
    expect(faultsOf(both)).toBe('')
    expect(faultsOf(both, { owners: { p: 'ana' }, balances: paid })).toBe('')
    expect(faultsOf(both, { owners: { p: 'ana' } })).toMatch(wrong)
    expect(faultsOf(both, { owners: { p: 'ana' }, balances: { ana: 980, bob: 1000 } })).toMatch(wrong)
  }
  // The buyer is no longer the owner.
  const listed = exchange([5, 6], ['ana', 'list', { parcelId: 'p', price: 20 }, { listingId: 'l' }])
  const sale = { listingId: 'l', parcelId: 'p', seller: 'ana', price: 20, receives: 18 }
  const sold = exchange([7, 8], ['bob', 'buy-listing', sale, { balance: 980 }])
  const listing = { id: 'l', parcelId: 'p', seller: 'ana', price: 20, state: 'sold', buyer: 'bob' } as const
  const check = (ana: number) =>
    faultsOf([...first, ...listed, ...sold], {
      owners: { p: 'bob' },
      listings: [listing],
      balances: { ana, bob: 980 },
    })
  expect(check(1008)).toBe('')
  expect(check(1018)).toMatch(wrong)
})

test('of several requests of unknown outcome as many are paid for as are stored', () => {
  const many = (asked: number, made: number, reads: [number, number][], paid = made): string => {
    const ids = Array.from({ length: made }, (_, at) => `kid-${at}`)
    const requests = Array.from({ length: asked }, (_, at) => exchange([at, at + 0.5], hire(null)))
    const answers = reads.map(([at, balance]) =>
      exchange([at, at + 1], ['ana', 'read-balance', {}, { balance }], null),
    )
    return faultsOf([...requests.flat(), ...answers.flat()], {
      workers: ids.map((id) => ({ ...KID, id })),
      supply: { kid: { sold: made, max: made } },
      balances: { ana: 1000 - 50 * paid, bob: 1000 },
    })
  }
  for (const made of [0, 1, 2, 3]) expect(many(3, made, [])).toBe('')
  for (const paid of [0, 2]) expect(many(3, 1, [], paid)).toMatch('The balance of ana is wrong.')
  // The first, the second or the third, at once or late.
  for (const seen of [1000, 950]) expect(many(3, 1, [[0.6, seen]])).toBe('')
  expect(
    many(3, 1, [
      [50, 1000],
      [60, 950],
    ]),
  ).toBe('')
  expect(
    many(3, 1, [
      [50, 950],
      [60, 1000],
    ]),
  ).toMatch('The balance of ana is wrong.')
  expect(many(30, 15, [[50, 650]])).toBe('')
  expect(many(12, 6, [[50, 850]], 7)).toMatch('The balance of ana is wrong. The answers fit no order.')
})

test('of two requests of unknown outcome that are far apart one has happened, and not between them', () => {
  const check = ([first, second, end]: [number, number, number]): string => {
    const read = (at: number, balance: number) =>
      exchange([at, at + 1], ['ana', 'read-balance', {}, { balance }], null)
    const hires = [exchange([1, 2], hire(null)), exchange([50, 51], hire(null))] as const
    const after = { ...EMPTY, ...HIRED, at: 100, balances: { ana: end, bob: 1000 } }
    const events = [EMPTY, ...hires[0], ...read(10, first), ...read(30, second), ...hires[1], after]
    return checkHistory(events, 5).faults.join('\n')
  }
  expect(check([950, 950, 950])).toBe('')
  expect(check([1000, 1000, 950])).toBe('')
  expect(check([1000, 950, 950])).toMatch('The balance of ana is wrong. The answers fit no order.')
  expect(check([950, 950, 900])).toMatch('all changes together are -50.')
  expect(check([1000, 1000, 1000])).toMatch('all changes together are -50.')
})
