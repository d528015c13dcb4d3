import { getMintDecoder, getTokenDecoder, TOKEN_PROGRAM_ADDRESS, AccountState } from '@solana-program/token'
import type { Mint, Token } from '@solana-program/token'
import type { MaybeEncodedAccount } from '@solana/kit'
import type { Address } from './port.ts'

export const TOKEN_2022_PROGRAM_ADDRESS = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address
export const TOKEN_PROGRAMS: readonly Address[] = [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS]

const MINT_BYTES = 82
const TOKEN_BYTES = 165
const MULTISIG_BYTES = 355
// Token-2022 appends the account type to the bytes of the older program's layout.
const KIND_MINT = 1
const KIND_TOKEN = 2

/** Decodes a token account of either token program; null for anything else. */
export function readToken(account: MaybeEncodedAccount): Token | null {
  if (!account.exists || !TOKEN_PROGRAMS.includes(account.programAddress)) return null
  const { length } = account.data
  const isToken =
    length === TOKEN_BYTES ||
    (length > TOKEN_BYTES && length !== MULTISIG_BYTES && account.data[TOKEN_BYTES] === KIND_TOKEN)
  if (!isToken) return null
  const token = getTokenDecoder().decode(account.data.slice(0, TOKEN_BYTES))
  return token.state === AccountState.Uninitialized ? null : token
}

/** Decodes a mint of either token program; null for anything else. */
export function readMint(account: MaybeEncodedAccount): Mint | null {
  if (!account.exists || !TOKEN_PROGRAMS.includes(account.programAddress)) return null
  const { length } = account.data
  const isMint =
    length === MINT_BYTES ||
    (length > TOKEN_BYTES && length !== MULTISIG_BYTES && account.data[TOKEN_BYTES] === KIND_MINT)
  return isMint ? getMintDecoder().decode(account.data.slice(0, MINT_BYTES)) : null
}
