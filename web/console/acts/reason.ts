/** A reason as it is stored: one line without spaces at its ends. */
export const cleanReason = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
