import { readSite, readTerms } from '#contract/site.ts'
import type { Config } from '#server/platform/config.ts'
import type { Serve } from '#server/platform/http/serve.ts'
import { PRODUCT } from '#server/platform/site.ts'
import type { WorldState } from '#server/world/world-state.ts'
import type { ReadTerms } from './read-terms.ts'

type SiteDeps = Config & Pick<WorldState, 'listings' | 'announcements'> & { terms: ReadTerms }

/** The facts that every page needs, and the terms. */
export function siteRoutes(serve: Serve, { xUrl, tokenUrl, listings, announcements, terms }: SiteDeps): void {
  serve(readSite, async () => ({
    product: PRODUCT,
    xUrl: xUrl || null,
    tokenUrl: tokenUrl || null,
    marketOpen: listings.listings().reply.open,
    openContinents: listings.listings().reply.openContinents,
    announcements: announcements.current(),
  }))
  serve(readTerms, terms)
}
