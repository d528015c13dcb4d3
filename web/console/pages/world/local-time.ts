const MINUTE_MS = 60_000

/** An instant as a field of local time shows it: `2026-11-23T09:30`. */
export function toLocal(instantMs: number): string {
  const offsetMs = new Date(instantMs).getTimezoneOffset() * MINUTE_MS
  return new Date(instantMs - offsetMs).toISOString().slice(0, 16)
}

/** The instant of such a field; null if it is not complete. */
export function fromLocal(text: string): string | null {
  const instantMs = Date.parse(text)
  return Number.isNaN(instantMs) ? null : new Date(instantMs).toISOString()
}
