/** A wallet that visitors without one can install, and the page of its documentation that defines `browseUrl`. */
export type WalletApp = {
  name: string
  download: string
  /** Opens a page in the browser inside the app, where the wallet is. */
  browseUrl: (page: { href: string; origin: string }) => string
}

const browse =
  (base: string): WalletApp['browseUrl'] =>
  ({ href, origin }) =>
    `${base}/${encodeURIComponent(href)}?ref=${encodeURIComponent(origin)}`

export const WALLET_APPS: readonly WalletApp[] = [
  // docs.phantom.com, mobile deep links, browse
  {
    name: 'Phantom',
    download: 'https://phantom.com/download',
    browseUrl: browse('https://phantom.app/ul/browse'),
  },
  // docs.solflare.com, deep links, other methods, browse
  {
    name: 'Solflare',
    download: 'https://www.solflare.com/download/',
    browseUrl: browse('https://solflare.com/ul/v1/browse'),
  },
  // docs.backpack.app, deep links, other methods, browse
  {
    name: 'Backpack',
    download: 'https://backpack.app/download',
    browseUrl: browse('https://backpack.app/ul/v1/browse'),
  },
]

/**
 * A phone or tablet, where browsers have no extensions and wallets are apps with their own browser. Browsers claim to hover on
 * many Samsung phones, and to have a precise pointer on some Pixel phones. A computer without a mouse has no pointer at all.
 */
export const isHandheld = (): boolean =>
  window.matchMedia('(pointer: coarse), (hover: none) and (pointer: fine)').matches
