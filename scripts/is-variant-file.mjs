/**
 * Whether a test file is a variant as a whole: `npm test` leaves it out, and `npm run test:all` runs it.
 * @param {string} text the text of the file
 */
export const isVariantFile = (text) => text.startsWith('/** @module-tag variant')
