import { landMessages } from '#web/messages/en-land.ts'
import { marketMessages } from '#web/messages/en-market.ts'
import { termsMessages } from '#web/messages/en-terms.ts'
import { transparencyMessages } from '#web/messages/en-transparency.ts'
import { messages } from '#web/messages/en.ts'

/** What the head of a page's own HTML says: for search engines, for previews of links, and for the first paint. */
export type PageHead = {
  /** Its address; `*` for one part that varies. */
  path: string
  /** Its module, from this folder. */
  module: string
  title: string
  description: string
}

const head = (path: string, page: string, title: string, description: string): PageHead => ({
  path,
  module: `pages/${page}.tsx`,
  title: messages.title(title),
  description,
})

/** The pages that people open by their address; every other one starts from the page of the hero. */
export const pageHeads: readonly PageHead[] = [
  head(
    '/buy-pickers',
    'buy-pickers/buy-pickers-page',
    messages.pickers.page,
    'Kid, Grandma, Grandad and BigMan: what each picker costs in $COTTON, how much it picks in an hour, and how many are left.',
  ),
  head(
    '/myfarm',
    'my-farm/my-farm-page',
    messages.farm.page,
    'Your family at work: watch your cotton grow by the second and claim the harvest of your own farm.',
  ),
  ...['/workers', '/owned-workers'].map((path) =>
    head(
      path,
      'workers/workers-page',
      messages.workers.page,
      'Every picker of your family in Cotton Farm: what it has picked, and what is ready to claim.',
    ),
  ),
  head(
    '/parcels',
    'world/world-page',
    landMessages.worldMap,
    'Seven continents, one parcel for each country: see what land is left, and at which price.',
  ),
  head(
    '/parcels/*',
    'parcels/parcels-page',
    landMessages.parcels,
    'The map of a continent in Cotton Farm: which countries are free, who owns the others, and the price right now.',
  ),
  head(
    '/marketplace',
    'market/marketplace-page',
    marketMessages.page,
    'Land that players of Cotton Farm sell to each other, with its price and its history.',
  ),
  head(
    '/profile',
    'profile/profile-page',
    messages.menu.profile,
    'Your balance, deposits, withdrawals and land in Cotton Farm.',
  ),
  head(
    '/terms',
    'terms/terms-page',
    termsMessages.page,
    'What $COTTON credit is and is not, what can be withdrawn, and the risks, in plain English.',
  ),
  head(
    '/transparency',
    'transparency/transparency-page',
    transparencyMessages.page,
    'The open books of Cotton Farm: the tokens it holds, what it owes, and the withdrawals that wait.',
  ),
]
