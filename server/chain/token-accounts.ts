import { getMintDecoder, getTokenDecoder, TOKEN_PROGRAM_ADDRESS, AccountState } from '@solana-program/token'
import type { Mint, Token } from '@solana-program/token'
import type { MaybeEncodedAccount, ReadonlyUint8Array } from '@solana/kit'
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

/** The part of a token account that `readAmount` needs: mint, owner and amount. */
export const AMOUNT_SLICE = { offset: 0, length: 72 } as const
const AMOUNT_OFFSET = 64

/**
 * The amount of a mint in the first bytes of an account, in base64; 0n if it belongs to another mint or program. Decoding a
 * whole account costs thirty times as much, most of it for its addresses.
 */
export function readAmount(
  account: { owner: Address; data: readonly [string, 'base64'] } | null,
  { mint, tokenProgram }: { mint: ReadonlyUint8Array; tokenProgram: Address },
): bigint {
  if (account === null || account.owner !== tokenProgram) return 0n
  const bytes = Buffer.from(account.data[0], 'base64')
  if (bytes.length < AMOUNT_SLICE.length || !bytes.subarray(0, mint.length).equals(Uint8Array.from(mint)))
    return 0n
  return bytes.readBigUInt64LE(AMOUNT_OFFSET)
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
