import { expect, test } from 'vitest'
import { type CheckedTransaction, checkTransaction } from './check-transaction.ts'
import type { Address, Signature } from './port.ts'

const [PAYER, SENDER, RECEIVER, MINT, OTHER] = [
  'Payer',
  'Sender',
  'Receiver',
  'Mint',
  'Other',
] as Address[] as [Address, Address, Address, Address, Address]
const SIGNATURE = 'signature' as Signature
const FACTS = { mint: MINT, decimals: 6 }

const row = (accountIndex: number, amount: string, mint = MINT) => ({
  accountIndex,
  mint,
  owner: PAYER,
  programId: OTHER,
  uiTokenAmount: { amount, decimals: 6 },
})

/** A transfer of five units, with the mint as a read-only account. */
const transfer = () => ({
  slot: 7n,
  blockTime: 1n,
  transaction: {
    signatures: [SIGNATURE as string],
    message: {
      accountKeys: [PAYER, SENDER, RECEIVER, MINT],
      recentBlockhash: '',
      header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
    },
  },
  meta: {
    err: null as unknown,
    preBalances: [9n, 1n, 1n, 1n],
    postBalances: [8n, 1n, 1n, 1n],
    preTokenBalances: [row(1, '12'), row(2, '1')],
    postTokenBalances: [row(1, '7'), row(2, '6')],
  },
})

type Transfer = ReturnType<typeof transfer>

const check = (change: (of: Transfer) => void): void => {
  const answer = transfer()
  change(answer)
  checkTransaction(answer as CheckedTransaction, { signature: SIGNATURE, facts: FACTS })
}

const amountOf = (of: Transfer) => of.meta.postTokenBalances[1]!.uiTokenAmount as Record<string, unknown>

/** Takes the mint from the accounts that the message names. A lookup table has it instead, or nothing has. */
const removeMint = (of: Transfer, table: 'writable' | 'readonly' | null): void => {
  const { transaction, meta } = of
  transaction.message.accountKeys.pop()
  transaction.message.header.numReadonlyUnsignedAccounts = 0
  if (table === null) {
    meta.preBalances.pop()
    meta.postBalances.pop()
    return
  }
  Object.assign(meta, { loadedAddresses: { writable: [], readonly: [], [table]: [MINT] } })
}

const NO_ACCOUNT = 'a token balance belongs to no account, or to one that has another'
const NO_SUM = 'tokens appear or vanish in it'

/** What is wrong with each answer, and what the error has to say. */
const CONTRADICTIONS: Record<string, [(of: Transfer) => void, string]> = {
  'another transaction': [(of) => (of.transaction.signatures[0] = 'other'), 'it is another transaction'],
  'a slot that no database can store': [(of) => (of.slot = 2n ** 63n), 'it has no slot'],
  'no slot': [(of) => (of.slot = null as never), 'it has no slot'],
  'another amount': [(of) => (amountOf(of).amount = '7'), NO_SUM],
  'another amount, and no mint among its accounts': [
    (of) => {
      removeMint(of, null)
      amountOf(of).amount = '7'
    },
    NO_SUM,
  ],
  'another amount, and the mint read from a lookup table': [
    (of) => {
      removeMint(of, 'readonly')
      amountOf(of).amount = '7'
    },
    NO_SUM,
  ],
  'an amount of nothing': [(of) => (amountOf(of).amount = ''), 'a token balance has no amount'],
  'another decimal amount': [
    (of) => (amountOf(of).uiAmountString = '0.000007'),
    'a token balance has two amounts',
  ],
  'other decimals': [(of) => (amountOf(of).decimals = 9), 'a token balance has no amount'],
  'no balances before': [(of) => (of.meta.preTokenBalances = []), NO_SUM],
  'no balances after': [(of) => (of.meta.postTokenBalances = []), NO_SUM],
  'one balance twice': [(of) => of.meta.postTokenBalances.push(row(1, '0')), NO_ACCOUNT],
  'a balance of no account': [(of) => (of.meta.preTokenBalances[1]!.accountIndex = 9), NO_ACCOUNT],
  'a balance of another mint': [(of) => (of.meta.preTokenBalances[1]!.mint = OTHER), NO_SUM],
  'a balance without an owner': [
    (of) => (of.meta.postTokenBalances[1]!.owner = null as never),
    'a token balance has no mint, owner or program',
  ],
  'one account twice': [
    (of) => (of.transaction.message.accountKeys[1] = RECEIVER),
    'its accounts are not distinct addresses',
  ],
  'an account too few': [
    (of) => of.transaction.message.accountKeys.pop(),
    'it lacks accounts or their balances',
  ],
  'a failure that moves tokens': [(of) => (of.meta.err = {}), 'it moves tokens, although it failed'],
  'no header': [(of) => (of.transaction.message.header = undefined as never), 'its message has no header'],
}

test.each(Object.entries(CONTRADICTIONS))('an answer with %s is refused', (_, [change, why]) => {
  expect(() => check(change)).toThrow(new Error(why))
})

const SOUND: Record<string, (of: Transfer) => void> = {
  'a transfer': () => {},
  'a transfer with decimal amounts': (of) => (amountOf(of).uiAmountString = '0.000006'),
  'tokens that a writable mint has issued': (of) => {
    of.transaction.message.header.numReadonlyUnsignedAccounts = 0
    of.meta.preTokenBalances = []
  },
  'a transfer without the mint among its accounts': (of) => removeMint(of, null),
  'tokens that a mint has issued which a lookup table makes writable': (of) => {
    removeMint(of, 'writable')
    of.meta.preTokenBalances = []
  },
  'a failure without balances after it': (of) => {
    of.meta.err = { InstructionError: [0, 'Custom'] }
    of.meta.postTokenBalances = []
  },
  // Token-2022 can scale what it shows. A sender must not be able to hide a deposit behind such a token.
  'a token of somebody else that shows another amount': (of) => {
    of.transaction.message.accountKeys.push(OTHER)
    for (const balances of [of.meta.preBalances, of.meta.postBalances]) balances.push(1n)
    const shown = row(4, '5', OTHER)
    Object.assign(shown.uiTokenAmount, { decimals: 2, uiAmountString: '123' })
    of.meta.postTokenBalances.push(shown)
  },
}

test.each(Object.entries(SOUND))('an answer with %s is read', (_, change) => {
  expect(() => check(change)).not.toThrow()
})
