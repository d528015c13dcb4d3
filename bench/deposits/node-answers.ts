import { address } from '@solana/kit'
import { AccountState, getMintEncoder, getTokenEncoder, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'

/** The mint of the game's token on this node. */
export const MINT = address('4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU')

const SOMEBODY = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM')

const base64 = (bytes: ArrayLike<number>): string => Buffer.from(Uint8Array.from(bytes)).toString('base64')

/** The first bytes of a token account of the game's mint, in base64. */
export const encodeToken = (amount: bigint, length: number): string =>
  base64(
    getTokenEncoder()
      .encode({
        mint: MINT,
        owner: SOMEBODY,
        amount,
        delegate: null,
        state: AccountState.Initialized,
        isNative: null,
        delegatedAmount: 0n,
        closeAuthority: null,
      })
      .slice(0, length),
  )

/** The bytes of the mint, in base64. */
export const encodeMint = (): string =>
  base64(
    getMintEncoder().encode({
      mintAuthority: null,
      supply: 10n ** 15n,
      decimals: 6,
      isInitialized: true,
      freezeAuthority: null,
    }),
  )

/** A transaction that brought this amount to a token account that was empty before. */
export function transactionOf(
  { account, owner }: { account: string; owner: string },
  amount: bigint,
): object {
  const balance = { accountIndex: 1, mint: MINT, owner, programId: TOKEN_PROGRAM_ADDRESS }
  const of = (units: bigint) => [{ ...balance, uiTokenAmount: { amount: String(units), decimals: 6 } }]
  return {
    slot: 1_000_000,
    blockTime: 1_790_000_000,
    version: 'legacy',
    transaction: {
      message: { accountKeys: [SOMEBODY, account], recentBlockhash: SOMEBODY },
      signatures: [],
    },
    meta: {
      err: null,
      preBalances: [1, 1],
      postBalances: [1, 1],
      preTokenBalances: of(0n),
      postTokenBalances: of(amount),
    },
  }
}
