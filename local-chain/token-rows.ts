import type { MaybeEncodedAccount } from '@solana/kit'
import type { Address } from '#server/chain/port.ts'
import { readToken } from '#server/chain/token-accounts.ts'

export type UiAmount = { amount: string; decimals: number; uiAmount: number; uiAmountString: string }

/** An amount of base units in the four formats of nodes. */
export function uiAmount(amount: bigint, decimals: number): UiAmount {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const text = fraction === '' ? whole : `${whole}.${fraction}`
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text }
}

export type TokenRow = {
  accountIndex: number
  mint: Address
  owner: Address
  programId: Address
  uiTokenAmount: UiAmount
}

/** The token accounts among those of a transaction, as `preTokenBalances` and `postTokenBalances` list them. */
export function tokenRows(
  accounts: readonly MaybeEncodedAccount[],
  decimalsOf: (mint: Address) => number,
): TokenRow[] {
  const knownDecimals = new Map<Address, number>()
  return accounts.flatMap((account, accountIndex) => {
    const token = readToken(account)
    if (token === null || !account.exists) return []
    const { mint, owner, amount } = token
    const decimals = knownDecimals.get(mint) ?? decimalsOf(mint)
    knownDecimals.set(mint, decimals)
    const uiTokenAmount = uiAmount(amount, decimals)
    return [{ accountIndex, mint, owner, programId: account.programAddress, uiTokenAmount }]
  })
}
