/** The terms page. Its own file keeps it out of the first load. */
export const termsMessages = {
  page: 'Terms and risks',
  sub: 'In plain English',
  failed: 'The terms could not be loaded.',
  changed: 'Last changed on',
} as const
