/** What moves a cursor, clears a screen, writes to a clipboard, or reverses the order of a line. */
const CONTROLS = /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu

/**
 * A text for a terminal: control characters are written like `\u001b`, except line breaks. What a command prints can contain
 * what somebody with the database login of a role has stored, or what a node has answered.
 */
export const escapeControls = (text: string): string =>
  text.replaceAll(CONTROLS, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The same for a text that is one line: a line break that somebody has stored in it would begin a forged line. */
export const escapeLine = (line: string): string => escapeControls(line).replaceAll('\n', String.raw`\u000a`)
