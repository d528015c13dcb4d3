/** Aborts a request whose answer has not begun after this many milliseconds. Reading the answer may take longer. */
export function beginInTime(
  timeoutMs: number,
  request: (late: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeoutMs)
  return request(late.signal).finally(() => clearTimeout(timer))
}
