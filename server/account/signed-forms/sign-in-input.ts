import { createSignInMessageText } from '@solana/wallet-standard-util'
import type { Site } from '#server/platform/site.ts'
import type { TextToSign } from './text-to-sign.ts'

/** The input of `solana:signIn` for a statement. Nothing in it depends on the time: the nonce expires. */
export function signInInput({ host, uri, chainId }: Site, { wallet, nonce, purpose }: TextToSign) {
  return { domain: host, address: wallet, statement: purpose, uri, version: '1', chainId, nonce }
}

/** The text that a wallet composes from this input (EIP-4361 as Wallet Standard adapts it). */
export const signInText = (site: Site, statement: TextToSign): string =>
  createSignInMessageText(signInInput(site, statement))
