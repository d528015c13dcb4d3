/** The sentences of the page of terms: apart, because the first page of all needs none of them. */
export const termsWords = {
  page: 'Terms and risks',
  sub: 'In plain words',
  failed: 'The terms could not be loaded.',
  changed: 'Last changed on',
} as const
