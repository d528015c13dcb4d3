import type { Config } from './config.ts'

export const PRODUCT = 'Cotton Farm'

// The names of Wallet Standard. It has none for a private chain.
const CHAIN_IDS = {
  local: 'solana:localnet',
  private: 'solana:localnet',
  mainnet: 'solana:mainnet',
  devnet: 'solana:devnet',
  testnet: 'solana:testnet',
} as const

/** The name and place of the game. Signed messages contain them, so that a signature is useless on another page. */
export type Site = {
  product: string
  /** With the port, if there is one. */
  host: string
  /** The origin of its pages. */
  uri: string
  /** The cluster as Wallet Standard names it. */
  chainId: string
}

/** Whether an origin is one that only this machine reaches. */
export const isThisMachine = (origin: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname)

/** The site of these settings on this cluster. Api and signer must have the same `PUBLIC_URL`. */
export function siteOf({ publicUrl }: Pick<Config, 'publicUrl'>, cluster: keyof typeof CHAIN_IDS): Site {
  const { host, origin } = new URL(publicUrl)
  return { product: PRODUCT, host, uri: origin, chainId: CHAIN_IDS[cluster] }
}
