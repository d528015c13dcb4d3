import { address, getBase58Decoder, getBase58Encoder } from '@solana/kit'
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

/** The signature of the transaction with this number. */
export const signatureOf = (number: number): string => {
  const bytes = new Uint8Array(64).fill(1)
  new DataView(bytes.buffer).setUint32(0, number)
  return getBase58Decoder().decode(bytes)
}

export const numberOfSignature = (signature: string): number =>
  new DataView(Uint8Array.from(getBase58Encoder().encode(signature)).buffer).getUint32(0)

/** A transaction in which somebody sent this amount to a token account that was empty before. */
export function transactionOf(
  { account, owner, signature }: { account: string; owner: string; signature: string },
  amount: bigint,
): object {
  const of = (accountIndex: number, holder: string, units: bigint) => ({
    accountIndex,
    mint: MINT,
    owner: holder,
    programId: TOKEN_PROGRAM_ADDRESS,
    uiTokenAmount: { amount: String(units), decimals: 6 },
  })
  return {
    slot: 1_000_000,
    blockTime: 1_790_000_000,
    version: 'legacy',
    transaction: {
      message: {
        header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 0 },
        accountKeys: [SOMEBODY, account],
        recentBlockhash: SOMEBODY,
      },
      signatures: [signature],
    },
    meta: {
      err: null,
      preBalances: [1, 1],
      postBalances: [1, 1],
      preTokenBalances: [of(0, SOMEBODY, amount), of(1, owner, 0n)],
      postTokenBalances: [of(0, SOMEBODY, 0n), of(1, owner, amount)],
    },
  }
}
