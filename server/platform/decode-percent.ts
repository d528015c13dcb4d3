/** The text without its percent-encoding; the same text if it is not encoded properly. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
