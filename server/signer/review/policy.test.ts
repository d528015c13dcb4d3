import { expect, test } from 'vitest'
import { cotton, type Cotton } from '#game/cotton.ts'
import { readWithdrawalSettings } from '#server/platform/withdrawal-settings.ts'
import { DEFAULT_SECOND_ABOVE, NO_OPERATORS, quorumOf } from '#server/operators/read-operators.ts'
import { type Facts, applyPolicy } from './policy.ts'

const { limits } = readWithdrawalSettings({})
const HOUR_MS = 60 * 60_000
const NONE = cotton(0)
const more = (amount: Cotton): Cotton => (amount + 1n) as Cotton

/** An old wallet with earlier paid withdrawals that makes a small one. */
const ORDINARY: Facts = {
  cluster: 'mainnet',
  requested: { deposited: cotton(50), earned: cotton(50) },
  wasPaid: true,
  ageMs: 72 * HOUR_MS,
  hasDeposited: true,
  walletDay: { count: 1, sum: cotton(100) },
  allWalletsHour: { count: 1, sum: cotton(100) },
  daysLate: 0,
}

const requested = (deposited: Cotton, earned: Cotton) => ({ requested: { deposited, earned } })

test.each<[string, Partial<Facts>, string[]]>([
  ['an ordinary withdrawal is approved', {}, []],
  ['at the limit of the amount', requested(limits.reviewAbove, NONE), []],
  ['above the limit of the amount', requested(limits.reviewAbove, 1n as Cotton), ['large']],
  ['the first withdrawal of a wallet', { wasPaid: false }, ['first_withdrawal']],
  ['a wallet an hour too young', { ageMs: 71 * HOUR_MS }, ['new_wallet']],
  ['a wallet without a journal', { ageMs: null }, ['new_wallet']],
  ['a clock that went back', { ageMs: -HOUR_MS }, ['new_wallet']],
  ['at the daily limit', { walletDay: limits.perWalletDay }, []],
  [
    'one above the daily count',
    { walletDay: { count: limits.perWalletDay.count + 1, sum: cotton(1) } },
    ['wallet_pace'],
  ],
  ['above the daily sum', { walletDay: { count: 1, sum: more(limits.perWalletDay.sum) } }, ['wallet_pace']],
  ['at the hourly limit', { allWalletsHour: limits.perHour }, []],
  [
    'one above the hourly count',
    { allWalletsHour: { count: limits.perHour.count + 1, sum: cotton(1) } },
    ['world_pace'],
  ],
  ['above the hourly sum', { allWalletsHour: { count: 1, sum: more(limits.perHour.sum) } }, ['world_pace']],
  ['earned credit before any deposit', { hasDeposited: false }, ['no_deposit']],
  [
    'deposited credit from the sale of a parcel, without a deposit',
    { hasDeposited: false, ...requested(cotton(5), NONE) },
    [],
  ],
  ['requested before midnight', { daysLate: 1 }, []],
  ['two days late', { daysLate: 2 }, ['late']],
  ['a day in the future', { daysLate: -2 }, ['late']],
  ['a day that is NaN', { daysLate: Number.NaN }, ['late']],
  ['an infinite day', { daysLate: -Infinity }, ['late']],
  ['an age that is NaN', { ageMs: Number.NaN }, ['new_wallet']],
  ['a daily count that is NaN', { walletDay: { count: Number.NaN, sum: cotton(1) } }, ['wallet_pace']],
  ['an hourly count that is NaN', { allWalletsHour: { count: Number.NaN, sum: NONE } }, ['world_pace']],
  ['late, without earned credit', { daysLate: 9, ...requested(cotton(5), NONE) }, []],
  [
    'several reasons at once',
    { ageMs: 0, wasPaid: false, hasDeposited: false },
    ['no_deposit', 'first_withdrawal', 'new_wallet'],
  ],
])('%s', (_, changed, reasons) => {
  const state = reasons.length > 0 ? 'review' : 'approved'
  expect(applyPolicy({ ...ORDINARY, ...changed }, limits)).toEqual({ state, reasons })
})

test('on the local chain, where tokens are worth nothing, every withdrawal is approved', () => {
  const extreme: Facts = {
    ...ORDINARY,
    ...requested(cotton(1_000_000), cotton(9)),
    wasPaid: false,
    ageMs: 0,
    daysLate: 9,
  }
  expect(applyPolicy({ ...extreme, cluster: 'local', hasDeposited: false }, limits)).toEqual({
    state: 'approved',
    reasons: [],
  })
})

test('a withdrawal above the limit needs two approvals', () => {
  expect(quorumOf(NO_OPERATORS, DEFAULT_SECOND_ABOVE)).toBe(1)
  expect(quorumOf(NO_OPERATORS, more(DEFAULT_SECOND_ABOVE))).toBe(2)
})

test('a setting that is not a whole number is refused by its name', () => {
  expect(readWithdrawalSettings({ WITHDRAWAL_REVIEW_ABOVE: '5' }).limits.reviewAbove).toBe(cotton(5))
  expect(readWithdrawalSettings({ TREASURY_SOL_FLOOR: '2' }).treasury.lamports.floor).toBe(2_000_000_000n)
  for (const wrong of ['-1', '1.5', 'many', '1e3', '99999999999']) {
    expect(() => readWithdrawalSettings({ WITHDRAWN_PER_HOUR: wrong })).toThrow('WITHDRAWN_PER_HOUR is "')
  }
  expect(() => readWithdrawalSettings({ PRIORITY_FEE_CAP: '2000001' })).toThrow('at most 2000000')
  expect(readWithdrawalSettings({ OPEN_WITHDRAWALS_PER_WALLET: '3' }).limits.openPerWallet).toBe(3)
  expect(() => readWithdrawalSettings({ OPEN_WITHDRAWALS_PER_WALLET: '0' })).toThrow('at least 1')
})
