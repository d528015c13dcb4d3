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

const CONTRADICTIONS: Record<string, (of: Transfer) => void> = {
  'another transaction': (of) => (of.transaction.signatures[0] = 'other'),
  'a slot that no database can store': (of) => (of.slot = 2n ** 63n),
  'no slot': (of) => (of.slot = null as never),
  'another amount': (of) => (amountOf(of).amount = '7'),
  'an amount of nothing': (of) => (amountOf(of).amount = ''),
  'another decimal amount': (of) => (amountOf(of).uiAmountString = '0.000007'),
  'other decimals': (of) => (amountOf(of).decimals = 9),
  'no balances before': (of) => (of.meta.preTokenBalances = []),
  'no balances after': (of) => (of.meta.postTokenBalances = []),
  'one balance twice': (of) => of.meta.postTokenBalances.push(row(1, '0')),
  'a balance of no account': (of) => (of.meta.preTokenBalances[1]!.accountIndex = 9),
  'a balance of another mint': (of) => (of.meta.preTokenBalances[1]!.mint = OTHER),
  'a balance without an owner': (of) => (of.meta.postTokenBalances[1]!.owner = null as never),
  'one account twice': (of) => (of.transaction.message.accountKeys[1] = RECEIVER),
  'an account too few': (of) => of.transaction.message.accountKeys.pop(),
  'a failure that moves tokens': (of) => (of.meta.err = {}),
  'no header': (of) => (of.transaction.message.header = undefined as never),
}

test.each(Object.entries(CONTRADICTIONS))('an answer with %s is refused', (_, change) => {
  expect(() => check(change)).toThrow()
})

const SOUND: Record<string, (of: Transfer) => void> = {
  'a transfer': () => {},
  'a transfer with decimal amounts': (of) => (amountOf(of).uiAmountString = '0.000006'),
  'tokens that a writable mint has issued': (of) => {
    of.transaction.message.header.numReadonlyUnsignedAccounts = 0
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
