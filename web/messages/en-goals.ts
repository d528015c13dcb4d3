import { CONTINENT_NAMES, type ContinentCode } from '#game/continents.ts'
import { cotton, formatCotton, formatCount, type Cotton } from '#game/cotton.ts'
import type { Milestone } from '#game/milestones.ts'
import { type WorkerType, WORKERS } from '#game/workers.ts'
import { formatShort } from './amount.ts'
import { PICKER_PLURALS } from './picker-plurals.ts'

const NUMBERS: Readonly<Record<number, string>> = {
  2: 'Two',
  3: 'Three',
  4: 'Four',
  5: 'Five',
  7: 'Seven',
  10: 'Ten',
}
const ORDINALS = ['first', 'second', 'third'] as const

const numberWord = (count: number): string => NUMBERS[count] ?? formatCount(count)

/** Antarctica has sectors besides countries. */
const landWord = (continent: ContinentCode): string => (continent === 'AN' ? 'places' : 'countries')

const MILLION = cotton(1_000_000)

/** `250,000`, and from a million on `10M`. */
const levelText = (level: Cotton): string => (level < MILLION ? formatCotton(level) : formatShort(level, 1))

const WIDEST = cotton(1_000_000_000)

/** Two amounts on a bar: all digits, or short ones where they would not fit. */
const amountsText = (have: Cotton, need: Cotton): string =>
  need < WIDEST
    ? `${formatCotton(have)} / ${formatCotton(need)} $COTTON`
    : `${formatShort(have, 2)} / ${formatShort(need, 2)} $COTTON`

function titleOf(milestone: Milestone): string {
  switch (milestone.kind) {
    case 'first-picker':
      return 'First picker'
    case 'crew':
      return milestone.count === 2
        ? `A second ${WORKERS[milestone.workerType].name}`
        : `${numberWord(milestone.count)} ${PICKER_PLURALS[milestone.workerType]}`
    case 'family':
      return 'All four of the family'
    case 'harvest':
      return `${levelText(milestone.amount)} $COTTON harvested`
    case 'countries':
      return milestone.count === 1 ? 'First country' : `${numberWord(milestone.count)} countries`
    case 'continents':
      return `Land on ${numberWord(milestone.count).toLowerCase()} continents`
    case 'continent':
      return `${numberWord(milestone.count)} ${landWord(milestone.continent)} of ${CONTINENT_NAMES[milestone.continent]}`
    case 'whole-continent':
      return `All of ${CONTINENT_NAMES[milestone.continent]}`
    case 'first-sale':
      return 'First land sold'
  }
}

/** `2 h 46 m`, `5 d 3 h` or `120 d`: the last unit up, so that the forecast is never early. */
function durationText(ms: number): string {
  const minutes = Math.ceil(ms / 60_000)
  if (minutes < 48 * 60) return joinUnits([Math.floor(minutes / 60), 'h'], [minutes % 60, 'm'])
  const hours = Math.ceil(minutes / 60)
  if (hours < 100 * 24) return joinUnits([Math.floor(hours / 24), 'd'], [hours % 24, 'h'])
  return joinUnits([Math.ceil(hours / 24), 'd'])
}

/** Without the units of which there are none. */
const joinUnits = (...units: readonly [count: number, unit: string][]): string =>
  units
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${formatCount(count)} ${unit}`)
    .join(' ')

/** Goals, milestones and collections. */
export const goalMessages = {
  board: 'Harvest Board',
  loading: 'Loading your goals...',
  failed: 'Your milestones could not be loaded',
  titleOf,
  nextHire: 'Next hire',
  hireTitle: (type: WorkerType, owned: number) => {
    const { name } = WORKERS[type]
    const ordinal = ORDINALS[owned]
    if (ordinal === undefined) return `${name} number ${formatCount(owned + 1)}`
    return `${owned === 0 ? 'Your' : 'A'} ${ordinal} ${name}`
  },
  amounts: amountsText,
  onTheWay: (title: string, have: number, need: number) =>
    `On the way to: ${title}, ${formatCount(have)} of ${formatCount(need)}`,
  reaches: 'This hire reaches a milestone',
  forecast: (ms: number) => `in ${durationText(ms)} at your current rate`,
  noRate: 'Hire your first picker to start the harvest',
  enough: 'You have enough',
  enoughAfterClaim: 'Claim your cotton and you have enough',
  hire: (type: WorkerType) => `Hire ${WORKERS[type].name}`,
  claimToReach: 'Claim your cotton to reach it',
  harvest: 'Lifetime harvest',
  harvestTitle: (level: Cotton) => `${levelText(level)} $COTTON`,
  harvestDone: 'Every level reached',
  harvested: (amount: Cotton) => `${formatCotton(amount)} $COTTON claimed so far`,
  nextUp: 'Next up',
  count: (have: number, need: number) => `${formatCount(have)} / ${formatCount(need)}`,
  reached: (count: number, of: number) => `Milestones: ${formatCount(count)} of ${formatCount(of)}`,
  shelf: 'Milestones',
  noneYet: 'Your first badge is one picker away.',
  noneYetNext: (title: string) => `Next: ${title}`,
  reachedOn: (title: string, date: string) => `${title}, reached ${date}`,
  showAll: (count: number) => `Show all ${formatCount(count)}`,
  showFewer: 'Show fewer',
  toBoard: 'See your goals',
  collections: 'Land collected',
  world: 'The world',
  continentsSeen: (count: number, of: number) => `${formatCount(count)} of ${formatCount(of)} continents`,
  collected: (have: number, of: number) => `${formatCount(have)} of ${formatCount(of)}`,
  moreFlags: (count: number) => `+${formatCount(count)}`,
  names: (names: readonly string[]) => names.join(', '),
  collectionHint:
    'Land stays in your collection after you sell it. Milestones are for show; they pay nothing.',
  celebrated: (count: number) =>
    count === 1 ? 'Milestone reached!' : `${formatCount(count)} milestones reached!`,
  /** The newest two, because the card has two lines. */
  reachedNames: (titles: readonly string[]) =>
    titles.length > 2
      ? `${titles.slice(-2).join(', ')} and ${formatCount(titles.length - 2)} more`
      : titles.join(' and '),
  dismiss: 'Close the celebration',
  spoken: (titles: readonly string[]) =>
    `${titles.length === 1 ? 'Milestone' : `${formatCount(titles.length)} milestones`} reached: ${titles.join(', ')}.`,
} as const
