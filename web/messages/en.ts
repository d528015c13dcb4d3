import { NOT_AUTHENTICATED } from '#contract/refusal-sentences.ts'
import { type Cotton, formatCotton } from '#game/cotton.ts'

/** The messages of the first load. Those that the specification fixes appear verbatim. */
export const messages = {
  product: 'Cotton Farm',
  title: (page: string) => `${page} · Cotton Farm`,
  unit: '$COTTON',
  skip: 'Skip to content',
  close: 'Close',
  ok: 'OK',
  tryAgain: 'Try again',
  newTab: '(opens a new tab)',

  menu: {
    label: 'Main menu',
    game: 'Game',
    open: 'Open menu',
    close: 'Close menu',
    home: 'Cotton Farm – home',
    buyPickers: 'Buy Pickers',
    myFarm: 'My Farm',
    world: 'World',
    marketplace: 'Marketplace',
    profile: 'Profile',
    transparency: 'Open Books',
    sound: 'Music and sounds',
    settings: 'Settings',
    follow: 'Follow us',
    followHint: ' on X, opens a new tab',
    x: 'X (opens a new tab)',
    token: '$COTTON token page (opens a new tab)',
    terms: 'Terms and risks',
    deposit: 'Deposit',
    balance: 'Balance ',
    spokenBalance: (balance: string) => `Your balance: ${balance} $COTTON`,
    balancePill: (balance: Cotton | null) => `${formatCotton(balance)} $COTTON, open profile`,
  },

  wallet: {
    connect: 'Connect wallet',
    connecting: 'Connecting…',
    openProfile: (short: string) => `Wallet ${short}, open profile`,
    noPhantom: 'Phantom wallet not detected. Please install Phantom wallet extension.',
    loginFailed: 'Login failed.',
    loggedIn: 'Logged in',
    logOut: 'Log out',
    loggedOut: 'Logged out',
    loggedOutText: 'Your farm keeps growing while you are away.',
    expired: 'Session ended',
    expiredText: 'Your session has ended. Please log in again.',
    switched: 'Account changed',
    switchedText:
      'You switched the account in your wallet, so you were logged out. Log in again to play with it.',
  },

  login: {
    title: 'You need to be logged in',
    text: 'Connect your wallet to continue',
    cancel: 'Cancel',
    localTitle: 'No wallet? Try the game free.',
    localText: 'We keep a test wallet in this browser. Test tokens have no value.',
    localButton: 'Play with a test wallet',
    localFailed:
      'The test wallet needs localhost or https, and a current browser. Reload the page to try again.',
  },

  errors: {
    unexpected: 'Something went wrong on our side.',
    unreachable: 'Cannot reach the game. Please check your connection.',
    timed_out: 'The game did not respond in time.',
    cancelled: 'You stopped waiting.',
    offline: 'You are offline.',
    notSent: 'Nothing was sent.',
    offlinePage: 'This page loads by itself when you are online again.',
    unknownOutcome: 'The game has not confirmed this yet.',
    inDoubt:
      'It may have gone through. Trying again within a minute is safe: it counts only once, unless you reload the page.',
    inDoubtOnce: 'It may have gone through. Check your history before you try again.',
    waiting: 'Waiting for the game…',
    waitingText: 'Your request was sent. There is no answer yet.',
    stopWaiting: 'Stop waiting',
    notAuthenticated: NOT_AUTHENTICATED,
    pageTitle: 'Something broke on this page',
    pageText: 'Your farm and your balance are not affected.',
    reload: 'Reload the page',
    notLoaded: 'Check your connection, then reload the page.',
    offlineNote: 'You are offline. You may be seeing old data.',
  },

  frozen: 'Your wallet is frozen',
  toasts: { region: 'Notifications', dismiss: 'Dismiss' },
  loading: 'Loading…',
} as const
