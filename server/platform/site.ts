import type { Config } from './config.ts'

export const PRODUCT = 'Cotton Farm'

/** The name and host of the game. Signed messages contain both, so that a signature is useless on another page. */
export type Site = { product: string; host: string }

/** The site of these settings. Api and signer must have the same `PUBLIC_URL`. */
export const siteOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): Site => ({
  product: PRODUCT,
  host: new URL(publicUrl).host,
})
