import type { SolanaSignInInput } from '@solana/wallet-standard-features'
import { createSignInMessage } from '@solana/wallet-standard-util'

// Runs in Node and in the browser. The envelopes are built here byte by byte, as the specification of off-chain messages
// describes them, so that they check the server's codecs.

/** The key of a wallet. */
export type SigningKey = { publicKey: Uint8Array; sign(bytes: Uint8Array): Promise<Uint8Array> }

/** What the server asks a wallet to sign. */
export type Request = {
  message: string
  signIn?: SolanaSignInInput | undefined
  transaction?: string | undefined
}

/** What the wallet returns: a signature, and the bytes that it signed, if it tells. */
export type Signed = { signature: Uint8Array; signedMessage?: Uint8Array }

/** How a wallet of one kind signs. `form` is what the browser has to request for it. */
export type SigningWallet = {
  name: string
  form: 'message' | 'sign-in' | 'transaction'
  sign(key: SigningKey, request: Request): Promise<Signed>
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** The 16 bytes before every off-chain message. 0xff cannot start a transaction. */
export const SIGNING_DOMAIN = concat(Uint8Array.of(0xff), utf8('solana offchain'))

/** An off-chain message of version 0. */
export function envelopeV0(of: {
  text: string
  signers: readonly Uint8Array[]
  domain?: Uint8Array
  format?: number
}): Uint8Array {
  const body = utf8(of.text)
  const format = of.format ?? (body.every((byte) => byte >= 0x20 && byte <= 0x7e) ? 0 : 1)
  return concat(
    SIGNING_DOMAIN,
    Uint8Array.of(0),
    of.domain ?? new Uint8Array(32),
    Uint8Array.of(format, of.signers.length),
    ...of.signers,
    Uint8Array.of(body.length & 0xff, body.length >> 8),
    body,
  )
}

/** An off-chain message of version 1. */
export const envelopeV1 = (of: { text: string; signers: readonly Uint8Array[] }): Uint8Array =>
  concat(SIGNING_DOMAIN, Uint8Array.of(1, of.signers.length), ...of.signers, utf8(of.text))

/** The message of an unsigned transaction with one signer: all bytes after the empty signature. */
export const messageOf = (transaction: string): Uint8Array =>
  Uint8Array.from(atob(transaction), (character) => character.codePointAt(0)!).slice(65)

const signing = async (key: SigningKey, bytes: Uint8Array): Promise<Signed> => ({
  signature: await key.sign(bytes),
  signedMessage: bytes,
})

const signRaw = (key: SigningKey, { message }: Request): Promise<Signed> => signing(key, utf8(message))

/** A stand-in for each kind of wallet. */
export const SIGNING_WALLETS: readonly SigningWallet[] = [
  { name: 'signs raw bytes', form: 'message', sign: signRaw },
  {
    name: 'wraps messages in version 0',
    form: 'message',
    sign: (key, { message }) => signing(key, envelopeV0({ text: message, signers: [key.publicKey] })),
  },
  {
    name: 'wraps messages in version 1',
    form: 'message',
    sign: (key, { message }) => signing(key, envelopeV1({ text: message, signers: [key.publicKey] })),
  },
  {
    name: 'signs in only',
    form: 'sign-in',
    sign: (key, { signIn }) =>
      signing(key, createSignInMessage({ ...signIn, domain: signIn!.domain!, address: signIn!.address! })),
  },
  {
    name: 'signs transactions only',
    form: 'transaction',
    sign: (key, { transaction }) => signing(key, messageOf(transaction!)),
  },
  // It cannot sign a transaction without sending it, so a memo transaction is no way for it.
  { name: 'sends what it signs', form: 'message', sign: signRaw },
]
