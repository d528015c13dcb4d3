/** The download page of the wallet. */
export const PHANTOM_DOWNLOAD = 'https://phantom.com/download'

/** Opens a page in the browser inside Phantom, where the wallet is (docs.phantom.com, deeplinks, browse). */
export function phantomBrowseUrl(page: { href: string; origin: string }): string {
  return `https://phantom.app/ul/browse/${encodeURIComponent(page.href)}?ref=${encodeURIComponent(page.origin)}`
}

/** A phone or tablet, where browsers have no extensions and wallets are apps with their own browser. */
export const isHandheld = (): boolean => window.matchMedia('(hover: none) and (pointer: coarse)').matches
