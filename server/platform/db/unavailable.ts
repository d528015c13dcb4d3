// No connection was available, it broke, or the server refuses writes (25006: it has become a standby).
const UNAVAILABLE_CODES = new Set([
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  // How PgBouncer reports that it has lost the server.
  '08P01',
  '25006',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  // DNS and routing errors are temporary while a cluster starts or fails over.
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])
const UNAVAILABLE_MESSAGE =
  /timeout exceeded when trying to connect|^timeout expired$|^Query read timeout$|Connection terminated|Connection ended|not queryable/

/** True if the database was unavailable. It is unknown whether a transaction that failed this way was committed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return (
    UNAVAILABLE_CODES.has(codeOf(error)) ||
    (error instanceof Error && UNAVAILABLE_MESSAGE.test(error.message))
  )
}

/** The SQLSTATE or system error code; '' for none. */
export function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '')
}
