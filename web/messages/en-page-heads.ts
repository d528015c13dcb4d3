import { WORKERS } from '#game/workers.ts'
import type { PageName } from '#web/pages.ts'
import { landMessages } from './en-land.ts'
import { messages } from './en.ts'

type PageHead = {
  /** Shown until the app has started, at addresses that are not prerendered. */
  title?: string
  description: string
}

const listOf = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

const workersHead = {
  description: 'Every picker of your family in Cotton Farm: what it has picked, and what is ready to claim.',
}

/**
 * Descriptions of pages for search engines and link previews. Only the build reads them. A page without a row is described
 * by its subtitle. The build takes titles from the prerendered pages. The description of the hero is in `index.html`,
 * which also serves unknown addresses.
 */
export const pageHeads: Readonly<Partial<Record<PageName, PageHead>>> = {
  buyPickers: {
    description: `${listOf(Object.values(WORKERS).map(({ name }) => name))}: what each picker costs in $COTTON, how much it picks in an hour, and how many are left.`,
  },
  myFarm: {
    description:
      'Your family at work: watch your cotton grow by the second and claim the harvest of your own farm.',
  },
  workers: workersHead,
  ownedWorkers: workersHead,
  world: { description: 'Seven continents, land for every country: see what is left, and at which price.' },
  continent: {
    title: messages.title(landMessages.land),
    description:
      'The map of a continent in Cotton Farm: which land is free, who owns the rest, and the price right now.',
  },
  marketplace: {
    description: 'Land that players of Cotton Farm sell to each other, with its price and its history.',
  },
  profile: { description: 'Your balance, deposits, withdrawals and land in Cotton Farm.' },
  terms: {
    description: 'What $COTTON credit is and is not, what can be withdrawn, and the risks, in plain English.',
  },
  transparency: {
    description:
      'The open books of Cotton Farm: the tokens it holds, what it owes, and the withdrawals that wait.',
  },
}

/** What the installed game and previews of links to it say. Only the build reads them. */
export const shareMessages = {
  description: 'Hire cotton pickers, harvest $COTTON, and grow your own farm on Solana.',
  imageText: 'Grandma, Kid, Grandad and BigMan in a field of cotton, below the sign of Cotton Farm.',
} as const
