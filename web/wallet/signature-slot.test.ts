import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getAddressEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { expect, test } from 'vitest'
import { findSignatureSlot } from './signature-slot.ts'

const PAYER = address('4Nd1mYvQ2uF8zQpWvJ1y2mFqzj2v5pXcM1ZrB7sYw3Qk')
const PLAYER = address('7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU')
const PROGRAM = address('11111111111111111111111111111111')
const BLOCKHASH = { blockhash: PAYER as string as Blockhash, lastValidBlockHeight: 1n }

function transactionFor(version: 'legacy' | 0, feePayer: Address): Uint8Array {
  const compiled = compileTransaction(
    pipe(
      createTransactionMessage({ version }),
      (message) => setTransactionMessageFeePayer(feePayer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(BLOCKHASH, message),
      (message) =>
        appendTransactionMessageInstruction(
          { programAddress: PROGRAM, accounts: [{ address: PLAYER, role: AccountRole.READONLY_SIGNER }] },
          message,
        ),
    ),
  )
  return new Uint8Array(getTransactionEncoder().encode(compiled))
}

const keyOf = (owner: Address): Uint8Array => new Uint8Array(getAddressEncoder().encode(owner))

test.each(['legacy', 0] as const)(
  'a signature is written into the wallet’s own slot, whoever pays the fee (version %s)',
  (version) => {
    for (const feePayer of [PAYER, PLAYER]) {
      const bytes = transactionFor(version, feePayer)
      const { offset, message } = findSignatureSlot(bytes, keyOf(PLAYER))
      bytes.set(new Uint8Array(64).fill(7), offset)
      const decoded = getTransactionDecoder().decode(bytes)
      expect(decoded.signatures[PLAYER]).toEqual(new Uint8Array(64).fill(7))
      expect([...message]).toEqual([...new Uint8Array(decoded.messageBytes)])
    }
  },
)

test('a transaction that this wallet does not have to sign is rejected', () => {
  const bytes = transactionFor(0, PLAYER)
  expect(() => findSignatureSlot(bytes, keyOf(PAYER))).toThrow('not a signer')
})
