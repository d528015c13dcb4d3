import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkHistory } from './check-history.ts'
import { type Mutant, playHistory } from './example-history.ts'
import type { HistoryEvent, State } from './history.ts'
import { EMPTY, exchange, faultsOf, hire, HIRED, KID } from './written-history.ts'

const SEEDS = Array.from({ length: 6 }, (_, at) => at + 1)

test('a correct history is accepted, whatever overlaps, is lost or is repeated', () => {
  const verdicts = SEEDS.map((seed) => checkHistory(playHistory(seed)))
  expect(verdicts.flatMap(({ faults }) => faults)).toEqual([])
  for (const { acknowledged, unknown } of verdicts) {
    expect(acknowledged).toBeGreaterThan(100)
    expect(unknown).toBeGreaterThan(0)
  }
})

const WRONG_BALANCE = /The balance of \w+ is wrong/

const SENTENCES: Record<Mutant, RegExp[]> = {
  'async-commit': [/was acknowledged and is lost/, WRONG_BALANCE],
  'ack-before-commit': [/was acknowledged and is lost/, WRONG_BALANCE],
  'key-outside-the-transaction': [/ran twice|its claims were answered with/, WRONG_BALANCE],
  'retry-without-key': [/ran twice/, WRONG_BALANCE],
  'two-primaries': [/was acknowledged and is lost/, WRONG_BALANCE],
  'pay-cancelled': [/^The withdrawal \S+ was cancelled and is stored as paid\.$/m],
}

test.each(Object.entries(SENTENCES))('a history of %s is refused', (mutant, sentences) => {
  const refused = SEEDS.slice(0, 5).flatMap((seed) => {
    const { faults } = checkHistory(playHistory(seed, mutant as Mutant))
    return faults.length > 0 ? [faults.join('\n')] : []
  })
  expect(refused.length).toBeGreaterThan(1)
  for (const sentence of sentences) expect(refused.join('\n')).toMatch(sentence)
})

test('what has an unknown outcome happened once or not at all', () => {
  expect(faultsOf(exchange([1, 2], hire(null)))).toBe('')
  expect(faultsOf(exchange([1, 2], hire(null)), HIRED)).toBe('')
  const two = { workers: [KID, { ...KID, id: 'kid-2' }], supply: { kid: { sold: 2, max: 2 } } }
  expect(faultsOf(exchange([1, 2], hire(null)), { ...two, balances: { ana: 900, bob: 1000 } })).toMatch(
    'ran twice',
  )
})

test('one key has one answer, and one effect has one key', () => {
  const first = exchange([1, 2], hire({ workerId: 'kid-1', balance: 950 }), 'same')
  expect(
    faultsOf([...first, ...exchange([3, 4], hire({ workerId: 'kid-1', balance: 950 }), 'same')], HIRED),
  ).toBe('')
  const changed = exchange([3, 4], hire({ workerId: 'kid-1', balance: 900 }), 'same')
  expect(faultsOf([...first, ...changed], HIRED)).toMatch('The key same of hire by ana was answered with')
  const other = exchange([3, 4], hire({ workerId: 'kid-1', balance: 900 }))
  expect(faultsOf([...first, ...other], HIRED)).toMatch('The worker kid-1 was acknowledged for two keys.')
})

test('an acknowledged key is not refused later', () => {
  const first = exchange([1, 2], hire({ workerId: 'kid-1', balance: 950 }), 'same')
  const again = exchange([3, 4], hire(null), 'same')
  const refuse = (code: string) => [
    ...first,
    again[0]!,
    { ...again[1]!, outcome: 'refused', code } as HistoryEvent,
  ]
  expect(faultsOf(refuse('sold_out'), HIRED)).toMatch('was acknowledged and later refused: sold_out.')
  expect(faultsOf(refuse('busy'), HIRED)).toBe('')
})

test('what a refused call changed is a fault', () => {
  const [call, answer] = exchange([1, 2], hire(null))
  const refused = { ...answer!, outcome: 'refused', code: 'busy' } as HistoryEvent
  expect(faultsOf([call!, refused], HIRED)).toMatch('ran twice')
})

test('a balance that was read is never older than what was answered before', () => {
  const reading = (at: [number, number]) => exchange(at, ['ana', 'read-balance', {}, { balance: 1000 }], null)
  const first = exchange([1, 5], hire({ workerId: 'kid-1', balance: 950 }))
  expect(faultsOf([...first, ...reading([2, 6])], HIRED)).toBe('')
  expect(faultsOf([...first, ...reading([6, 7])], HIRED)).toMatch('The balance of ana is wrong.')
})

test('a payment without an answer may wait for what pays for it', () => {
  const deposit = exchange([3, 4], ['ana', 'deposit', { signature: 's', amount: 40 }, {}])
  const deposits = [{ signature: 's', wallet: 'ana', amount: 40 }]
  const check = (before: number): string =>
    checkHistory([
      { ...EMPTY, balances: { ana: before, bob: 1000 } },
      ...exchange([1, 2], hire(null)),
      ...deposit,
      { ...EMPTY, ...HIRED, at: 100, deposits, balances: { ana: before - 10, bob: 1000 } },
    ]).faults.join('\n')
  expect(check(20)).toBe('')
  expect(check(9)).toMatch('The balance of ana is wrong.')
})

test('a parcel has one owner, and a listing is sold once', () => {
  const buy = (wallet: string, at: [number, number]) =>
    exchange(at, [wallet, 'buy-parcel', { parcelId: 'p', price: 10 }, { balance: 990 }])
  const owned = { owners: { p: 'ana' }, balances: { ana: 990, bob: 1000 } }
  expect(faultsOf(buy('ana', [1, 2]), owned)).toBe('')
  const both = { ...owned, balances: { ana: 990, bob: 990 } }
  expect(faultsOf([...buy('ana', [1, 2]), ...buy('bob', [3, 4])], both)).toMatch('The owners of p are wrong.')
})

test('a listing is stored once, and none without a request', () => {
  const bought = exchange([1, 2], ['ana', 'buy-parcel', { parcelId: 'p', price: 10 }, { balance: 990 }])
  const list = (reply: object | null) => exchange([3, 4], ['ana', 'list', { parcelId: 'p', price: 7 }, reply])
  const listing = { id: 'l-1', parcelId: 'p', seller: 'ana', price: 7, state: 'active', buyer: null } as const
  const check = (reply: object | null, ...listings: State['listings']) =>
    faultsOf([...bought, ...list(reply)], {
      owners: { p: 'ana' },
      balances: { ana: 990, bob: 1000 },
      listings,
    })
  const listed = { listingId: 'l-1' }
  expect(check(listed, listing)).toBe('')
  expect(check(null, listing)).toBe('')
  expect(check(null)).toBe('')
  expect(check(listed)).toMatch('The listing l-1 (p of ana for 7) was acknowledged and is lost.')
  expect(check(listed, listing, { ...listing, id: 'l-2' })).toBe(
    'The listing l-2 (p of ana for 7) is stored and no request explains it: something ran twice.\n' +
      'p has two active listings.',
  )
  expect(check(listed, listing, { ...listing, id: 'l-2', state: 'cancelled' })).toMatch(
    'The listing l-2 (p of ana for 7) is stored and no request explains it',
  )
})

test('a listing ends because somebody asked for it, and stays as it ended', () => {
  const owners = (owner: string) => ({ owners: { p: owner } })
  const listing = { id: 'l', parcelId: 'p', seller: 'ana', price: 7, state: 'active', buyer: null } as const
  const cancelled = { ...listing, state: 'cancelled' } as const
  const sold = { ...listing, state: 'sold', buyer: 'bob' } as const
  const args = { listingId: 'l', parcelId: 'p', price: 7 }
  const cancelBy = (wallet: string) => exchange([3, 4], [wallet, 'cancel', args, null])
  const list = exchange([1, 2], ['ana', 'list', { parcelId: 'p', price: 7 }, null])
  const check = (from: State['listings'], to: State['listings'], ...events: HistoryEvent[]): string =>
    checkHistory([
      { ...EMPTY, ...owners(from[0]?.buyer ?? 'ana'), listings: from },
      ...events,
      { ...EMPTY, ...owners(from[0]?.buyer ?? 'ana'), at: 100, listings: to },
    ]).faults.join()
  expect(check([], [cancelled], ...list, ...cancelBy('ana'))).toBe('')
  expect(check([], [listing], ...list, ...cancelBy('ana'))).toBe('')
  expect(check([sold], [sold])).toBe('')
  const unexplained = 'The listing l is cancelled and no request explains it.'
  // The search finds an order without the listing, because nobody knows whether it was made.
  expect(check([], [cancelled], ...list)).toBe(unexplained)
  expect(check([], [cancelled], ...list, ...cancelBy('bob'))).toBe(unexplained)
  expect(check([sold], [{ ...sold, state: 'cancelled' }])).toBe('The listing l was sold, and that is lost.')
  expect(check([sold], [{ ...sold, buyer: 'eve' }])).toBe('The listing l was sold, and that is lost.')
})

test('an answer names what its own request has made', () => {
  const before = { ...EMPTY, ...HIRED, balances: EMPTY.balances }
  const again = exchange([1, 2], hire({ workerId: 'kid-1', balance: 950 }))
  expect(checkHistory([before, ...again, { ...EMPTY, ...HIRED, at: 100 }]).faults).toEqual([
    'The worker kid-1 (kid of ana) was stored before, and the one acknowledged now is lost.',
  ])
})

test('a worker pays its owner only', () => {
  const check = (wallet: string, workerId: string, paid: number, reply: object | null): string[] =>
    checkHistory([
      { ...EMPTY, ...HIRED },
      ...exchange([1, 2], [wallet, 'claim', { workerId }, reply]),
      {
        ...EMPTY,
        ...HIRED,
        at: 100,
        workers: [{ ...KID, claimed: paid }],
        balances: { ...HIRED.balances, ...(reply && { [wallet]: HIRED.balances[wallet as 'ana'] + 3 }) },
      },
    ]).faults
  expect(check('ana', 'kid-1', 3, { amount: 3, balance: 953 })).toEqual([])
  expect(check('bob', 'kid-1', 0, null)).toEqual([])
  expect(check('bob', 'kid-1', 3, { amount: 3, balance: 1003 })).toEqual([
    'kid-1 has paid bob, and is stored as a worker of ana.',
  ])
  expect(check('ana', 'kid-9', 0, { amount: 3, balance: 953 })).toEqual([
    'kid-9 has paid ana, and is stored as a worker of nobody.',
  ])
})

const OPEN = { id: 'w', wallet: 'ana', amount: 5, cancelled: false, refunded: false, paid: false }
const cancel = (reply: object | null) =>
  exchange([1, 2], ['ana', 'cancel-withdrawal', { withdrawalId: 'w' }, reply])

/** The faults of a history in which this is stored of one withdrawal before and after. A refund adds to the balance. */
function checkWithdrawal(from: typeof OPEN, to: typeof OPEN, ...events: HistoryEvent[]): string {
  const balances = { ana: to.refunded && !from.refunded ? 1005 : 1000, bob: 1000 }
  return checkHistory([
    { ...EMPTY, withdrawals: [from] },
    ...events,
    { ...EMPTY, at: 100, withdrawals: [to], balances },
  ]).faults.join()
}

test('a withdrawal is cancelled because somebody asked for it, and stays cancelled', () => {
  const cancelled = { ...OPEN, cancelled: true }
  for (const reply of [{}, null]) expect(checkWithdrawal(OPEN, cancelled, ...cancel(reply))).toBe('')
  expect(checkWithdrawal(OPEN, OPEN, ...cancel(null))).toBe('')
  const lost = 'The withdrawal w was cancelled, and that is lost.'
  expect(checkWithdrawal(OPEN, OPEN, ...cancel({}))).toBe(lost)
  expect(checkWithdrawal(cancelled, OPEN)).toBe(lost)
  const unexplained = 'The withdrawal w is cancelled and no request explains it.'
  expect(checkWithdrawal(OPEN, cancelled)).toBe(unexplained)
  const byBob = (reply: object | null) =>
    exchange([1, 2], ['bob', 'cancel-withdrawal', { withdrawalId: 'w' }, reply])
  expect(checkWithdrawal(OPEN, cancelled, ...cancel({}), ...byBob(null))).toBe('')
  expect(checkWithdrawal(OPEN, cancelled, ...byBob(null))).toBe(unexplained)
  expect(checkWithdrawal(OPEN, cancelled, ...cancel({}), ...byBob({}))).toBe(
    'The withdrawal w is not one of bob, who has cancelled it.',
  )
})

test('a withdrawal is paid, or cancelled and never paid, whatever its cancellation was answered', () => {
  const paid = { ...OPEN, paid: true }
  const cancelled = { ...OPEN, cancelled: true }
  const returned = { ...cancelled, refunded: true }
  const [call, answer] = cancel(null)
  const refused = [call!, { ...answer!, outcome: 'refused', code: 'not_cancellable' } as HistoryEvent]
  expect(checkWithdrawal(OPEN, paid)).toBe('')
  // Signer and player at once, and the signer was first.
  for (const events of [cancel(null), refused]) expect(checkWithdrawal(OPEN, paid, ...events)).toBe('')
  for (const reply of [{}, null]) {
    expect(checkWithdrawal(OPEN, cancelled, ...cancel(reply))).toBe('')
    expect(checkWithdrawal(OPEN, returned, ...cancel(reply))).toBe('')
  }
  // What was signed and has failed on the chain is refunded, too.
  expect(checkWithdrawal(OPEN, { ...OPEN, refunded: true })).toBe('')
  const both = 'The withdrawal w was cancelled and is stored as paid.'
  for (const reply of [{}, null])
    expect(checkWithdrawal(OPEN, { ...cancelled, paid: true }, ...cancel(reply))).toBe(both)
  expect(checkWithdrawal(cancelled, { ...cancelled, paid: true })).toBe(both)
  expect(checkWithdrawal(paid, { ...cancelled, paid: true }, ...cancel({}))).toBe(both)
  expect(checkWithdrawal(paid, paid, ...cancel({}))).toBe('The withdrawal w was cancelled, and that is lost.')
  expect(checkWithdrawal(paid, paid, ...cancel(null))).toBe('')
})

test('what was paid or refunded stays so, and is not both', () => {
  const paid = { ...OPEN, paid: true }
  const refunded = { ...OPEN, refunded: true }
  for (const end of [paid, refunded]) expect(checkWithdrawal(end, end)).toBe('')
  expect(checkWithdrawal(paid, OPEN)).toBe('The withdrawal w was paid, and that is lost.')
  expect(checkWithdrawal(refunded, OPEN)).toBe('The withdrawal w was refunded, and that is lost.')
  expect(checkWithdrawal(OPEN, { ...paid, refunded: true })).toBe(
    'The withdrawal w is stored as paid and as refunded.',
  )
})

test('a deposit that the chain took is credited once, at any time before the next state', () => {
  const deposit = (reply: object | null) =>
    exchange([1, 2], ['ana', 'deposit', { signature: 's', amount: 7 }, reply])
  const credited = { deposits: [{ signature: 's', wallet: 'ana', amount: 7 }] }
  const rich = { ana: 1007, bob: 1000 }
  const read = exchange([5, 6], ['ana', 'read-balance', {}, { balance: 1000 }], null)
  expect(faultsOf([...deposit({}), ...read], { ...credited, balances: rich })).toBe('')
  expect(faultsOf(deposit(null))).toBe('')
  expect(faultsOf(deposit(null), { ...credited, balances: rich })).toBe('')
  expect(faultsOf(deposit({}))).toMatch('The deposit s (7 of ana) was acknowledged and is lost.')
  expect(faultsOf(deposit({}), { ...credited, balances: { ana: 1014, bob: 1000 } })).toMatch(
    'The balance of ana is wrong.',
  )
  expect(faultsOf([], { ...credited, balances: rich })).toMatch('no request explains it')
})

test('many deposits that are credited at once are found, and nothing else makes up for them', () => {
  // So different that no two sets have the same sum.
  const amountOf = (at: number) => ((at + 3) ** 5 * 7_919) % 999_999_937
  const numbers = Array.from({ length: 24 }, (_, at) => at)
  const sumOf = (of: number[]) => of.reduce((sum, at) => sum + amountOf(at), 0)
  const coins = (micro: number) => (micro / 1_000_000).toFixed(6)
  const sent = numbers.flatMap((at) =>
    exchange([at, at + 0.5], ['ana', 'deposit', { signature: `s${at}`, amount: coins(amountOf(at)) }, {}]),
  )
  const check = (credited: number[], more = 0): string => {
    const balance = coins(1_000_000_000 + sumOf(credited) + more)
    return faultsOf([...sent, ...exchange([50, 51], ['ana', 'read-balance', {}, { balance }], null)], {
      deposits: numbers.map((at) => ({ signature: `s${at}`, wallet: 'ana', amount: coins(amountOf(at)) })),
      balances: { ana: coins(1_000_000_000 + sumOf(numbers)), bob: '1000' },
    })
  }
  expect(check(numbers.filter((at) => at % 2 === 0))).toBe('')
  expect(check(numbers.filter((at) => at % 8 !== 3))).toBe('')
  expect(
    check(
      numbers.filter((at) => at % 2 === 0),
      1,
    ),
  ).toMatch('The balance of ana is wrong.')
})

test('a type is not sold beyond its supply', () => {
  const second = exchange([3, 4], hire({ workerId: 'kid-2', balance: 900 }))
  const events = [...exchange([1, 2], hire({ workerId: 'kid-1', balance: 950 })), ...second]
  const workers = [KID, { ...KID, id: 'kid-2' }]
  const after = { workers, supply: { kid: { sold: 2, max: 1 } }, balances: { ana: 900, bob: 1000 } }
  expect(faultsOf(events, after)).toBe('2 kid are sold, and the supply is 1.')
})

test('an attempt without an answer may take effect behind the next state, but not for ever', () => {
  const attempt = exchange([90, 95], hire(null))
  const states = (at: number) => [
    EMPTY,
    ...attempt,
    { ...EMPTY, at: 100 },
    { ...EMPTY, ...HIRED, at },
    { ...EMPTY, ...HIRED, at: at + 1 },
  ]
  expect(checkHistory(states(120), 1000).faults).toEqual([])
  expect(checkHistory(states(120), 5).faults.join()).toMatch('ran twice')
})

test('the checker knows nothing of the game', () => {
  const imports = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => [
      ...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/(?:from|import) '(.+?)'/g),
    ])
  expect(imports.map(([, name]) => name).filter((name) => !/^(node:|\.\/)/.test(name!))).toEqual([])
})
