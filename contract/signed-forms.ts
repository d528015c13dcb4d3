import * as z from 'zod/mini'

/**
 * What the wallet will be asked for: to sign the message itself (as it is or in an envelope of its own), to sign in, or to
 * sign a transaction that cannot land.
 */
export const RequestedForm = z.optional(z.enum(['message', 'sign-in', 'transaction']))

/** The input of `solana:signIn`. The wallet must sign exactly these fields; the server builds the same text. */
const SignInRequest = z.object({
  domain: z.string(),
  address: z.string(),
  statement: z.string(),
  uri: z.string(),
  version: z.string(),
  chainId: z.string(),
  nonce: z.string(),
})

/** What a wallet needs to sign. `message` is always there. */
export const ToSign = {
  message: z.string(),
  /** With `form: 'sign-in'`. */
  signIn: z.optional(SignInRequest),
  /** With `form: 'transaction'`: base64 of the unsigned transaction. It is signed and never sent. */
  transaction: z.optional(z.string()),
}

const MAX_SIGNED_BYTES = 4_096
const MAX_BASE64_LENGTH = Math.ceil(MAX_SIGNED_BYTES / 3) * 4

/** The message exactly as the server sent it. */
export const SentMessage = z.string().check(z.maxLength(1_000))

/** Canonical base64 of 64 signature bytes. Anything else is refused before it is decoded. */
export const WalletSignature = z.string().check(z.regex(/^[A-Za-z0-9+/]{86}==$/, 'is not a base64 signature'))

/**
 * Base64 of the bytes that the wallet says it signed. Without it, those are the UTF-8 bytes of the message. The server
 * compares them with what it builds itself.
 */
export const SignedMessage = z.optional(
  z
    .string()
    .check(
      z.maxLength(MAX_BASE64_LENGTH),
      z.regex(/^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'is not base64'),
    ),
)
