/** Where the wallet is had from. */
export const PHANTOM_DOWNLOAD = 'https://phantom.com/download'

/** Opens a page in the browser inside Phantom, where the wallet is (docs.phantom.com, deeplinks, browse). */
export function phantomBrowseUrl(page: { href: string; origin: string }): string {
  return `https://phantom.app/ul/browse/${encodeURIComponent(page.href)}?ref=${encodeURIComponent(page.origin)}`
}

/** A phone or tablet: its browsers know no extensions, its wallets are apps with a browser in them. */
export const isHandheld = (): boolean => window.matchMedia('(hover: none) and (pointer: coarse)').matches
