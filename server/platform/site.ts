import type { Config } from './config.ts'

export const PRODUCT = 'Cotton Farm'

/** Where the game is at home: what wallets sign names both, so that no other page can borrow a signature. */
export type Site = { product: string; host: string }

/** The site of these settings; api and signer must be told the same `PUBLIC_URL`. */
export const siteOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): Site => ({
  product: PRODUCT,
  host: new URL(publicUrl).host,
})
