import { MOST_COUNTED } from '#contract/console/today.ts'
import { formatCount } from '#game/cotton.ts'

/** The frame of the operators' console, and what its pages share. */
export const consoleMessages = {
  name: 'Operators',
  product: 'Cotton Farm',
  title: (page: string) => `${page} · Cotton Farm operators`,
  skip: 'Skip to content',
  credit: (amount: string) => `${amount} $COTTON`,

  pages: {
    today: 'Today',
    withdrawals: 'Withdrawals',
    deposits: 'Deposits',
    players: 'Players',
    world: 'World',
    books: 'Books',
    ledger: 'Ledger',
    log: 'Log',
    health: 'Health',
  },
  menu: 'Menu',
  menuLabel: 'Pages',
  limitedCount: (count: number) => `${formatCount(count)}${count < MOST_COUNTED ? '' : '+'}`,
  inReview: (count: number) => `${formatCount(count)}${count < MOST_COUNTED ? '' : ' or more'} in review`,

  theme: 'Colours',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  logOut: 'Log out',
  operator: (name: string) => `Logged in as ${name}`,
  rights: { view: 'view', decide: 'decide', adjust: 'adjust', settings: 'settings' },

  live: 'Live',
  connecting: 'Connecting',
  notLive: 'Not up to date',
  staleSince: (time: string) =>
    `The console has not answered since ${time}. What you see may be out of date, and nothing can be decided until it answers.`,
  neverAnswered: 'The console does not answer. Nothing can be decided until it does.',
  offline: 'This computer is offline. The pages are read again as soon as it is back.',
  paused: (reason: string) => `Withdrawals are paused: ${reason}`,

  loading: 'Loading',
  more: 'Show more',
  moreFailed: 'The next page could not be read.',
  shownOfMore: (count: number) =>
    count === 0
      ? 'None found yet'
      : count === 1
        ? 'The first one is shown'
        : `The first ${formatCount(count)} are shown`,
  shownAll: (count: number) => (count === 1 ? '1 in all' : `All ${formatCount(count)} are shown`),
  retry: 'Try again',
  readFailed: 'This could not be read.',
  outdated: 'What is shown here may be out of date.',
  unreachable: 'The console did not answer. It may be restarting, or the connection to it is gone.',
  unreadable: (status: number) =>
    `The console answered in a way that these pages do not know (status ${status}). Reload the page: it may have been updated.`,
  broken: 'This page failed',
  brokenText: 'An error in the page itself stopped it. Nothing was changed by that. Reload it to go on.',
  reload: 'Reload the page',
  notFound: 'There is no such page',
  notFoundText: 'The address may be mistyped.',
  toToday: 'To Today',
  noRight: (right: string) => `Your wallet does not have the right “${right}”.`,
  walletMissing: 'The wallet that you logged in with is not in this browser any more. Log in again.',

  endsSoon: {
    title: 'You will be logged out soon',
    text: 'Nobody has used this page for a while. Press a key, click or tap to stay logged in.',
  },
  endsInAnyCase: {
    title: 'You will be logged out soon',
    text: 'A session ends eight hours after the login. Finish what you have begun, and log in again.',
  },

  unknownName: 'no longer an operator',
  none: 'None',

  chart: {
    asTable: 'Show as a table',
    when: 'When',
    empty: 'Nothing to show yet',
    span: 'Time span',
    day: '24 hours',
    month: '30 days',
    newest: (value: string) => `newest: ${value}`,
    total: (value: string) => `total: ${value}`,
  },

  age: (ms: number): string => {
    const minutes = Math.floor(ms / 60_000)
    if (minutes < 1) return 'less than a minute'
    if (minutes < 120) return `${minutes} min`
    const hours = Math.floor(minutes / 60)
    return hours < 48 ? `${hours} h` : `${formatCount(hours / 24)} days`
  },

  login: {
    title: 'Log in',
    text: 'Choose the wallet that the operators’ file names. You sign a message; it moves nothing.',
    noWallet:
      'No wallet was found in this browser. Install one, or open this page in the browser that has it.',
    testWallet: 'Use the test wallet of this browser',
    testWalletText:
      'This game runs on a local chain. Its test wallet is an operator if the operators’ file names it.',
    address: 'The wallet’s address',
    cancel: 'Cancel',
    failed: 'The login failed. Try again.',
    ended: {
      'logged-out': 'You are logged out.',
      expired: 'Your session has ended. Log in again.',
      idle: 'Nobody used this page for a while, so you were logged out.',
      removed: 'Your wallet is no longer in the operators’ file of this game.',
      'account-switched': 'Another account was selected in the wallet, so you were logged out.',
    },
  },
} as const
