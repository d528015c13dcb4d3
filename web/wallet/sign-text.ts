import type { SolanaSignInInput } from '@solana/wallet-standard-features'
import { base64, fromBase64 } from './bytes.ts'
import { findSignatureSlot } from './signature-slot.ts'
import { type Connected, featuresOf } from './wallets.ts'

/** The features that can sign a text, the plainest first. */
const METHODS = [
  'solana:signMessage',
  'solana:signOffchainMessage',
  'solana:signIn',
  'solana:signTransaction',
] as const

export type SignMethod = (typeof METHODS)[number]

/** What the server has to prepare for a method. */
export type RequestedForm = 'message' | 'sign-in' | 'transaction'

const FORMS: Readonly<Record<SignMethod, RequestedForm>> = {
  'solana:signMessage': 'message',
  'solana:signOffchainMessage': 'message',
  'solana:signIn': 'sign-in',
  'solana:signTransaction': 'transaction',
}

/** The part of a request that names the form. The server prepares a message by default. */
export const formFor = (method: SignMethod): { form?: RequestedForm } =>
  FORMS[method] === 'message' ? {} : { form: FORMS[method] }

/** A text from the server, in the form that was asked for. */
export type TextToSign = { message: string; signIn?: SolanaSignInInput; transaction?: string }

/** A signature for the server, and the signed bytes where they are not those of the message. Both are base64. */
export type SignedText = { signature: string; signedMessage?: string }

/** The wallet signed with another account than the one it was asked for. */
export class OtherAccountError extends Error {}

/**
 * How this wallet signs a text; null if it cannot. A hardware wallet signs transactions only, whatever the wallet
 * that drives it offers.
 */
export function chooseSignMethod({ wallet, account }: Connected, isHardware: boolean): SignMethod | null {
  const offers = (method: SignMethod): boolean =>
    method in wallet.features &&
    // A sign-in belongs to the wallet, and wallets list the rest by account.
    (method === 'solana:signIn' || account.features.length === 0 || account.features.includes(method)) &&
    (method !== 'solana:signOffchainMessage' || signsOffchainV1(wallet))
  if (isHardware && 'solana:signTransaction' in wallet.features) return 'solana:signTransaction'
  return METHODS.find(offers) ?? null
}

/** A device may refuse to sign a message, or sign it in an envelope of which the wallet says nothing. */
export const mayBeHardware = ({ wallet }: Connected, method: SignMethod): boolean =>
  method !== 'solana:signTransaction' && 'solana:signTransaction' in wallet.features

const signsOffchainV1 = (wallet: Connected['wallet']): boolean =>
  featuresOf(wallet)['solana:signOffchainMessage']?.supportedMessageVersions.includes(1) ?? false

/** Has the wallet sign a text. Rejects with the wallet's own error, or with `OtherAccountError`. */
export async function signText(
  connected: Connected,
  method: SignMethod,
  toSign: TextToSign,
): Promise<SignedText> {
  switch (method) {
    case 'solana:signMessage':
      return signMessage(connected, toSign.message)
    case 'solana:signOffchainMessage':
      return signOffchainMessage(connected, toSign.message)
    case 'solana:signIn':
      return signIn(connected, toSign.signIn)
    case 'solana:signTransaction':
      return signTransaction(connected, toSign.transaction)
  }
}

async function signMessage({ wallet, account }: Connected, text: string): Promise<SignedText> {
  const message = new TextEncoder().encode(text)
  const outputs = await featuresOf(wallet)['solana:signMessage']?.signMessage({ account, message })
  const { signature, signedMessage } = firstOf(outputs)
  const sent = base64(message)
  const signed = base64(signedMessage)
  return { signature: base64(signature), ...(signed === sent ? {} : { signedMessage: signed }) }
}

async function signOffchainMessage({ wallet, account }: Connected, message: string) {
  const input = { messageVersion: 1, account, message, requiredSigners: [account.publicKey] } as const
  const outputs = await featuresOf(wallet)['solana:signOffchainMessage']?.signOffchainMessage(input)
  const { signature, signedOffchainMessage } = firstOf(outputs)
  const [proof, signed] = [signature, signedOffchainMessage].map((bytes) => base64(Uint8Array.from(bytes)))
  return { signature: present(proof), signedMessage: present(signed) }
}

async function signIn({ wallet, account }: Connected, input: SolanaSignInInput | undefined) {
  const output = firstOf(await featuresOf(wallet)['solana:signIn']?.signIn(present(input)))
  if (output.account.address !== account.address) throw new OtherAccountError()
  return { signature: base64(output.signature), signedMessage: base64(output.signedMessage) }
}

/** Signs the server's bytes and returns the parts. The transaction is not sent, and could not land. */
async function signTransaction({ wallet, account }: Connected, transaction: string | undefined) {
  const input = { account, transaction: fromBase64(present(transaction)) }
  const outputs = await featuresOf(wallet)['solana:signTransaction']?.signTransaction(input)
  const { signedTransaction } = firstOf(outputs)
  const { offset, message } = findSignatureSlot(signedTransaction, account.publicKey)
  const signature = signedTransaction.slice(offset, offset + 64)
  return { signature: base64(signature), signedMessage: base64(message) }
}

function firstOf<T>(outputs: readonly T[] | undefined): T {
  return present(outputs?.[0])
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The wallet or the server left out what was asked for.')
  return value
}
