/** The page at an unknown address. */
export const notFoundMessages = {
  page: 'Page not found',
  title: 'This path leads nowhere',
  text: 'There is no page at this address.',
  toFarm: 'Back to the farm',
} as const
