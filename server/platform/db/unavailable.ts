import { errorCode } from '../startup-error.ts'

// No connection was available, it broke, the server ended it because its transaction was idle for too long (25P03), or the
// server refuses writes (25006: it has become a standby).
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
  '08007',
  // How PgBouncer reports that it has lost the server.
  '08P01',
  '25006',
  '25P03',
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
const ROLLED_BACK_CODES = new Set(['25006', '25P03'])

// PgBouncer refuses a login with the same code.
const REFUSED_BY_POOLER = /authentication failed|no such (?:user|database)/

const UNAVAILABLE_MESSAGE =
  /timeout exceeded when trying to connect|^timeout expired$|^Query read timeout$|Connection terminated|Connection ended|not queryable/

/**
 * The connection broke after a commit was sent: the transaction happened or it did not (SQLSTATE 08007).
 */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError'
  readonly code = '08007'

  constructor(cause: unknown) {
    super('The connection to the database broke at a commit: the change may have happened.', { cause })
  }
}

/**
 * True if a transaction that failed with this error after its commit was sent may have been committed. Certain is only what the
 * server answers as an error of the transaction, and that it refuses writes or has ended an idle transaction. After anything
 * else, for example a server that panics because of its disk or a broken TLS record, the commit may be stored.
 */
export const isInDoubt = (error: unknown): boolean =>
  !ROLLED_BACK_CODES.has(errorCode(error)) && (isDatabaseUnavailable(error) || !isErrorOfTransaction(error))

/** Errors of a connection or of a server that ends have another severity, or none. */
const isErrorOfTransaction = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && error.severity === 'ERROR'

/** True if the database was unavailable, so that another attempt may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (isRefusedByPooler(error)) return false
  return (
    UNAVAILABLE_CODES.has(errorCode(error)) ||
    (error instanceof Error && UNAVAILABLE_MESSAGE.test(error.message))
  )
}

/** True if a pooler does not accept the login. */
export const isRefusedByPooler = (error: unknown): boolean =>
  errorCode(error) === '08P01' && error instanceof Error && REFUSED_BY_POOLER.test(error.message)
