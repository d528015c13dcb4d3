import { expect, test } from 'vitest'
import { type Act, ACT_RIGHTS, actText, findActProblem, isAct, numberedBy, toUnits } from './acts.ts'

const WALLET = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'
const ID = '0b0e3c3e-6c1f-4d3a-9a53-0a1b2c3d4e5f'
const OTHER_ID = '1c1e3c3e-6c1f-4d3a-9a53-0a1b2c3d4e5f'
const TRANSACTION = '5'.repeat(88)
const WORLD = {
  product: 'Cotton Farm',
  host: 'farm.test',
  treasury: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
}
const SIGNING = {
  operator: WALLET,
  nonce: 'ab'.repeat(16),
  expiresAt: new Date('2026-11-24T06:00:00Z'),
  number: 3,
}

const ACTS: Act[] = [
  { kind: 'approve', withdrawalId: ID, wallet: WALLET, amount: '150000' },
  { kind: 'reject', withdrawalId: ID, wallet: WALLET, amount: '150000', reason: 'Write to us.' },
  { kind: 'adjust', creditClass: 'earned', wallet: WALLET, amount: '-12.5', reason: 'Counted twice.' },
  { kind: 'adjust', creditClass: 'deposited', wallet: WALLET, amount: '12.5', reason: 'Lost.' },
  { kind: 'fund', amount: '0.000001', reason: 'Rewards' },
  { kind: 'resume', pauseId: ID, reason: 'Found it' },
  { kind: 'resume', pauseId: OTHER_ID, reason: 'Found it' },
  { kind: 'unfreeze', freezeId: ID, wallet: WALLET, reason: 'Found it' },
  { kind: 'unfreeze', freezeId: OTHER_ID, wallet: WALLET, reason: 'Found it' },
  { kind: 'market', what: 'open', continent: 'EU', reason: 'A test' },
  { kind: 'market', what: 'close', continent: 'EU', reason: 'A test' },
  { kind: 'take-back', payouts: '3', amount: '15', reason: 'Restored' },
  { kind: 'acknowledge', transaction: TRANSACTION, amount: '15', debt: 'none', reason: 'Sent' },
  { kind: 'acknowledge', transaction: TRANSACTION, amount: '15', debt: 'pool', reason: 'Sent' },
]

test('a message says what is signed: act, amount, recipient, reason, world, operator, nonce and expiry', () => {
  const large: Act = {
    kind: 'adjust',
    creditClass: 'earned',
    wallet: WALLET,
    amount: '-1234567.5',
    reason: 'Why',
  }
  const lines = [
    'Cotton Farm operator, farm.test',
    `World: ${WORLD.treasury}`,
    'Act: adjust earned credit',
    'Amount: -1,234,567.5 $COTTON',
    `To: ${WALLET}`,
    'Number: adjustment 3 of this wallet',
    'Reason: Why',
    `Operator: ${WALLET}`,
    `Nonce: ${SIGNING.nonce}`,
    'Expires: 2026-11-24T06:00:00.000Z',
  ]
  const text = actText(large, WORLD, SIGNING)
  expect(text.message).toBe(lines.join('\n'))
  expect(text.purpose).toBe([...lines.slice(0, 7), lines[9]].join('; '))
  const first = { wallet: WALLET, nonce: SIGNING.nonce }
  expect(text).toMatchObject(first)
})

test('no two acts have the same message or the same purpose', () => {
  expect(new Set(ACTS.map((act) => act.kind))).toEqual(new Set(Object.keys(ACT_RIGHTS)))
  const texts = ACTS.map((act) => actText(act, WORLD, SIGNING))
  expect(new Set(texts.map((text) => text.message)).size).toBe(ACTS.length)
  expect(new Set(texts.map((text) => text.purpose)).size).toBe(ACTS.length)
  for (const other of [{ host: 'other.test' }, { treasury: WALLET }])
    for (const act of ACTS) {
      const { message, purpose } = actText(act, { ...WORLD, ...other }, SIGNING)
      const here = actText(act, WORLD, SIGNING)
      expect([message === here.message, purpose === here.purpose]).toEqual([false, false])
    }
})

test('an act that has the same effect again has its number, and no other act does', () => {
  for (const act of ACTS) {
    const isNumbered = ['adjust', 'fund', 'market'].includes(act.kind)
    expect(numberedBy(act) !== null, act.kind).toBe(isNumbered)
    const [here, next, none] = [3, 4, null].map((number) => actText(act, WORLD, { ...SIGNING, number }))
    expect(here!.message.includes('\nNumber: '), act.kind).toBe(isNumbered)
    expect(none!.message).not.toContain('Number: ')
    expect([here!.message === next!.message, here!.purpose === next!.purpose]).toEqual([
      !isNumbered,
      !isNumbered,
    ])
  }
})

test('every act has exactly its fields, each valid', () => {
  for (const act of ACTS) {
    expect(findActProblem(act)).toBeNull()
    for (const name of Object.keys(act)) {
      const without = Object.fromEntries(Object.entries(act).filter(([each]) => each !== name))
      expect(findActProblem(without), `${act.kind} without ${name}`).toBe(name)
      expect(findActProblem({ ...act, [name]: 5 })).toBe(name)
    }
    expect(findActProblem({ ...act, more: 'x' })).toBe('more')
  }
  for (const value of [null, undefined, 5, 'approve', [], {}]) expect(isAct(value)).toBe(false)
})

test.each([
  ['amount', ['', '0', '-0', '01', '1.0', '1,000', '1e3', '.5', '1.0000001', ' 1', '9'.repeat(19), '--1']],
  ['reason', ['', ' x', 'x ', 'a\nOperator: eve', 'a\u2028b', 'a\u202eb', 'a\u200bb', 'x'.repeat(301)]],
  ['wallet', ['', 'So1', '0'.repeat(44), `${WALLET}\n`]],
  ['creditClass', ['held', '']],
])('the field %s of an act refuses what a wallet would show in another way', (name, values) => {
  const act = ACTS.find((each) => each.kind === 'adjust')
  for (const value of values) expect(findActProblem({ ...act, [name]: value }), value).toBe(name)
})

test('only an adjustment can be negative, and amounts are exact', () => {
  for (const act of ACTS.filter((each) => 'amount' in each))
    expect(isAct({ ...act, amount: '-1' })).toBe(act.kind === 'adjust')
  expect(['-0.000001', '1', '-12.5'].map(toUnits)).toEqual([-1n, 1_000_000n, -12_500_000n])
})
