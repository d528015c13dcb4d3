import { fillSentence, NOT_ENOUGH_CREDIT_FOR_PARCEL, PARCEL_OWNED } from '#contract/refusal-sentences.ts'
import { percentOf } from '#game/basis-points.ts'
import { type Cotton, formatCotton, formatCount } from '#game/cotton.ts'
import type { ContinentCode } from '#game/continents.ts'
import { PRICE_STEP_BPS, type Tier } from '#game/parcels.ts'
import { NUMBER_LOCALE } from './locale.ts'

type SpokenLand = {
  name: string
  tier: number | undefined
  state: string
  /** Another player. */
  owner: string | null
  price: string | null
  forSale: boolean
}

/** Sectors of Antarctica are no countries. */
const placeOf = (code: ContinentCode): string => (code === 'AN' ? 'place' : 'country')
const placesOf = (code: ContinentCode): string => (code === 'AN' ? 'places' : 'countries')

/** Land and its live updates. Its own file keeps it out of the first load. */
export const landMessages = {
  freshness: {
    live: 'Live',
    polling: 'Reconnecting…',
    offline: 'Offline',
    last: (time: string) => `Last update ${time}`,
  },

  land: 'Land',
  worldMap: 'World map',
  world: 'World Map',
  worldSub: 'Choose a continent',
  continents: 'Continents',
  left: (left: number, total: number) => `${formatCount(left)} of ${formatCount(total)} left`,
  signpost: (percent: number) => (percent >= 100 ? 'Sold out' : `${percent}% sold`),
  yours: 'Your land',
  yoursCount: (count: number) => (count === 1 ? '1 flag planted' : `${formatCount(count)} flags planted`),
  yoursNone: 'No flags planted yet',
  yoursConnect: 'Connect your wallet to see it',
  statsFailed: 'The continents could not be loaded.',
  sub: (code: ContinentCode) => `Pick a ${placeOf(code)}, plant your flag`,
  facts: (region: string) => `Land in ${region}`,
  sold: (percent: number) => `${percent}% SOLD`,
  soldLabel: (region: string) => `${region}: share sold`,
  currentPrice: 'Current Price',
  tokens: 'tokens',
  available: 'Available',
  yes: 'Yes',
  no: 'No',
  previousPrice: 'Previous Price',
  noSaleYet: `The current price is ${percentOf(PRICE_STEP_BPS)}% higher; nothing sold yet`,
  soldOf: (owned: number, total: number) => `${formatCount(owned)} of ${formatCount(total)} sold`,
  flags: 'Your flags here',
  priceRule: `The price rises ${percentOf(PRICE_STEP_BPS)}% each time the game sells land here. Land earns no $COTTON; you can resell it while the market is open.`,
  neutral: 'This is a game map. Borders and names come from public data and imply no political position.',
  countries: (code: ContinentCode) => (code === 'AN' ? 'Sectors and islands' : 'Countries'),
  show: 'Show',
  shown: { all: 'All', free: 'Free', yours: 'Yours', sale: 'For sale' },
  noneShown: {
    all: 'There is no land here.',
    free: 'All land here has an owner.',
    yours: 'You own no land here yet.',
    sale: 'No player sells land here right now.',
  },
  order: 'Sort by',
  orders: { name: 'By name', tier: 'By tier', price: 'By price' },
  forSale: 'For sale',
  owners: { free: 'Free', you: 'You' },
  search: (code: ContinentCode) => `Find a ${placeOf(code)}`,
  found: (count: number, code: ContinentCode) =>
    count === 1 ? `1 ${placeOf(code)} found` : `${count} ${placesOf(code)} found`,
  notFound: (code: ContinentCode) => `No ${placeOf(code)} matches that name.`,
  none: 'No parcels available for this region.',
  noneText: 'Try another continent.',
  loading: 'Loading parcels...',
  mapOf: (region: string) => `Map of ${region}`,
  mapHint: (code: ContinentCode) =>
    `Use the arrow keys to move between ${placesOf(code)} and Enter to open details. The cards below list the same land.`,
  mapFailed: 'The map could not be loaded. The cards below list all land.',
  legend: 'What the colours mean',
  freeTier: (tier: Tier) => `Free, tier ${tier}`,
  tierRule:
    'Tiers go by size: tier 1 is the largest 15% of a continent’s land, tier 3 the smaller half. All free land of a continent costs the same.',
  tierName: 'Tier',
  tier: (tier: number | undefined) => (tier === undefined ? null : `Tier ${tier}`),
  spokenTier: (tier: number | undefined) => (tier === undefined ? ',' : `, tier ${tier},`),
  states: { available: 'Available', owned: 'Owned', mine: 'Yours' },
  spoken: ({ name, tier, state, owner, price, forSale }: SpokenLand) =>
    [
      name,
      tier && `tier ${tier}`,
      owner ? `${state.toLowerCase()} by ${owner}` : state.toLowerCase(),
      price && (forSale ? `for sale at ${price} tokens` : `${price} tokens`),
    ]
      .filter(Boolean)
      .join(', '),
  details: 'Land Details',
  code: 'Code',
  region: 'Region',
  country: 'Country',
  area: 'Area',
  km2: (area: number) => `${Number.isNaN(area) ? '–' : area.toLocaleString(NUMBER_LOCALE)} km²`,
  status: 'Status',
  owner: 'Owner',
  price: 'Price',
  buy: 'Buy This Parcel',
  buying: 'Purchasing...',
  samePrice: (region: string) => `The same for all free land in ${region} right now.`,
  tierMeaning: (tier: Tier) =>
    `${tier} – ${
      {
        1: 'among the largest 15% of its continent',
        2: 'in the larger half of its continent',
        3: 'in the smaller half of its continent',
      }[tier]
    }`,
  purpose: 'Own it, and your flag stands on your map and your profile.',
  purposeOfMine: 'Your flag stands here, on your map and your profile.',
  nowYours: (name: string) => `${name} is yours!`,
  purchaseNotice: 'Purchases are final. Land earns no $COTTON; you can resell it while the market is open.',
  alreadyOwned: PARCEL_OWNED,
  alreadyOwnedTitle: 'Owned',
  walletTitle: 'Wallet Required',
  wallet: 'Please connect your wallet to purchase land',
  noAddress: 'Wallet address not found',
  creditTitle: 'Insufficient Credits',
  credit: (required: Cotton | null, available: Cotton | null) =>
    fillSentence(NOT_ENOUGH_CREDIT_FOR_PARCEL, {
      required: formatCotton(required),
      available: formatCotton(available),
    }),
  toDeposit: 'Deposit $COTTON',
  boughtTitle: 'Purchase Complete',
  bought: (id: string, price: Cotton | null) =>
    `Parcel ${id} purchased successfully for ${formatCotton(price)} tokens.`,
  failedTitle: 'Purchase Failed',
  errorTitle: 'Purchase Error',
  sample: 'Sample data – not live',
  sampleText: 'The land could not be loaded. These are sample values and cannot be bought.',
  bannerTitle: 'Own a piece of the world',
  bannerText: `Seven continents, a flag for every country. Each sale raises the price on its continent by ${percentOf(PRICE_STEP_BPS)}%.`,
  openMap: 'Open the world map',
  owned: 'Owned Land',
  ownedNone: 'You own no land yet.',
  ownedNoneText: 'Plant your first flag on one of seven continents.',
  ownedFailed: 'Your land could not be loaded.',
} as const
