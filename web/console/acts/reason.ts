/** A reason as it is stored: one line without spaces at its ends. */
export const cleanReason = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** The same without characters that are not shown, such as those of a text from a chat. A signed message cannot have them. */
export const cleanSignedReason = (text: string): string =>
  cleanReason(text.replaceAll(/[\p{Cf}\p{Cs}]|[^\P{Cc}\s]/gu, ''))
