/** The tab bar of small windows. */
export const tabMessages = {
  label: 'Main pages',
  myFarm: 'Farm',
  buyPickers: 'Hire',
  world: 'World',
  marketplace: 'Market',
  profile: 'Me',
  /** After the name of the farm, for screen readers. */
  ready: (amount: string) => `${amount} $COTTON ready`,
} as const
