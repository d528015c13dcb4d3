import { getAddressEncoder } from '@solana/kit'
import { AccountState, getTokenEncoder, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { expect, test } from 'vitest'
import type { Address } from './port.ts'
import { AMOUNT_SLICE, readAmount, TOKEN_2022_PROGRAM_ADDRESS } from './token-accounts.ts'

const MINT = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' as Address
const OTHER = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM' as Address
const token = { mint: getAddressEncoder().encode(MINT), tokenProgram: TOKEN_PROGRAM_ADDRESS }

const bytesOf = ({ mint = MINT, amount = 2n ** 63n + 5n }): Uint8Array =>
  Uint8Array.from(
    getTokenEncoder().encode({
      mint,
      owner: OTHER,
      amount,
      delegate: OTHER,
      state: AccountState.Initialized,
      isNative: 7n,
      delegatedAmount: 9n,
      closeAuthority: OTHER,
    }),
  )

const accountWith = (bytes: Uint8Array, owner: Address = TOKEN_PROGRAM_ADDRESS) => ({
  owner,
  data: [Buffer.from(bytes).toString('base64'), 'base64'] as const,
})

test('the amount is read from the first bytes and from a whole account alike', () => {
  const bytes = bytesOf({})
  for (const length of [AMOUNT_SLICE.length, bytes.length])
    expect(readAmount(accountWith(bytes.slice(0, length)), token)).toBe(2n ** 63n + 5n)
})

test('an account that is missing, of another mint or program, uninitialised or too short holds nothing', () => {
  const bytes = bytesOf({})
  const others = [
    null,
    accountWith(bytesOf({ mint: OTHER })),
    accountWith(bytes, TOKEN_2022_PROGRAM_ADDRESS),
    accountWith(new Uint8Array(bytes.length)),
    accountWith(bytes.slice(0, AMOUNT_SLICE.length - 1)),
    accountWith(new Uint8Array(0)),
  ]
  expect(others.map((account) => readAmount(account, token))).toEqual(others.map(() => 0n))
})
