import { WORKERS } from '#game/workers.ts'
import type { PageName } from '#web/pages.ts'
import { landMessages } from './en-land.ts'
import { marketMessages } from './en-market.ts'
import { termsMessages } from './en-terms.ts'
import { transparencyMessages } from './en-transparency.ts'
import { farmMessages } from './en-farm.ts'
import { messages } from './en.ts'

type PageHead = { title: string; description: string }

const listOf = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

const head = (page: string, description: string): PageHead => ({ title: messages.title(page), description })

const workersHead = head(
  messages.workers.page,
  'Every picker of your family in Cotton Farm: what it has picked, and what is ready to claim.',
)

/**
 * Title and description of each page, for search engines, link previews and the first paint. Only the build reads them.
 * Those of the hero are in `index.html`, which also serves unknown addresses.
 */
export const pageHeads: Readonly<Record<Exclude<PageName, 'hero' | 'notFound'>, PageHead>> = {
  buyPickers: head(
    messages.pickers.page,
    `${listOf(Object.values(WORKERS).map(({ name }) => name))}: what each picker costs in $COTTON, how much it picks in an hour, and how many are left.`,
  ),
  myFarm: head(
    farmMessages.page,
    'Your family at work: watch your cotton grow by the second and claim the harvest of your own farm.',
  ),
  workers: workersHead,
  ownedWorkers: workersHead,
  world: head(
    landMessages.worldMap,
    'Seven continents, land for every country: see what is left, and at which price.',
  ),
  continent: head(
    landMessages.land,
    'The map of a continent in Cotton Farm: which countries are free, who owns the others, and the price right now.',
  ),
  marketplace: head(
    marketMessages.page,
    'Land that players of Cotton Farm sell to each other, with its price and its history.',
  ),
  profile: head(messages.menu.profile, 'Your balance, deposits, withdrawals and land in Cotton Farm.'),
  terms: head(
    termsMessages.page,
    'What $COTTON credit is and is not, what can be withdrawn, and the risks, in plain English.',
  ),
  transparency: head(
    transparencyMessages.page,
    'The open books of Cotton Farm: the tokens it holds, what it owes, and the withdrawals that wait.',
  ),
}

/** What the installed game and previews of links to it say. Only the build reads them. */
export const shareMessages = {
  description: 'Hire cotton pickers, harvest $COTTON, and grow your own farm on Solana.',
  imageText: 'Grandma, Kid, Grandad and BigMan in a field of cotton, below the sign of Cotton Farm.',
} as const
