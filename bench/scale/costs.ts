import type { Recorded } from './recorded.ts'

/** What one operation costs. Times in µs of a processor. */
export type Cost = {
  what: string
  apiUs: number
  postgresUs: number
  walKb: number
  /** What stays in the database, in kB. */
  storedKb: number
  /** Its idempotency key with the stored response, in kB. */
  keyKb: number
  source: string
}

/** A session is deleted some time after its end. */
const SESSION_KB = 0.4

const LOGINS = 'logins: nonce, signature and session'

/** What an operation leaves in the database, in kB: what stays, and its key, which is deleted after two days. */
export const storedBy = (recorded: Recorded, what: string): { kb: number; keyKb: number } => ({
  kb: recorded('storage', what, 'kB that stay'),
  keyKb: recorded('storage', what, 'kB of its key'),
})

/** Costs of the operations of players, from the recorded results. */
export function costsOf(recorded: Recorded): Cost[] {
  const sale = (what: string, row: string): Cost => ({
    what,
    apiUs: recorded('sales', row, 'µs of the api'),
    postgresUs: recorded('sales', row, 'µs of Postgres'),
    walKb: recorded('growth', 'hire, 1,000,000 workers', 'kB of WAL'),
    // The worker, parcel or listing is a row of about the same size.
    storedKb: storedBy(recorded, 'hire').kb,
    keyKb: storedBy(recorded, 'hire').keyKb,
    source: 'sales, 128 at once; storage, a hire',
  })
  // Assumed to take the time of a login, which checks a signature and stores a row, too.
  const moneyMove = (what: string): Cost => ({
    what,
    apiUs: recorded('logins', LOGINS, 'µs of the api'),
    postgresUs: recorded('logins', LOGINS, 'µs of Postgres'),
    walKb: recorded('storage', what, 'kB of WAL'),
    storedKb: storedBy(recorded, what).kb,
    keyKb: storedBy(recorded, what).keyKb,
    source: 'storage; the time of a login',
  })
  const read = (what: string, row: string): Cost => ({
    what,
    apiUs: recorded('growth', row, 'µs of Node'),
    postgresUs: recorded('growth', row, 'µs of Postgres'),
    walKb: 0,
    storedKb: 0,
    keyKb: 0,
    source: 'growth, a million workers',
  })
  return [
    {
      what: 'claim',
      apiUs: recorded('claims', '128 at once', 'µs of the api'),
      // The claims suite has a small database.
      postgresUs: recorded('growth', 'claim, 1,000,000 workers', 'µs of Postgres'),
      walKb: recorded('growth', 'claim, 1,000,000 workers', 'kB of WAL'),
      storedKb: storedBy(recorded, 'claim').kb,
      keyKb: storedBy(recorded, 'claim').keyKb,
      source: 'claims, 128 at once; growth, a million workers; storage',
    },
    sale('hire', 'hires: 128 at once'),
    sale('purchase of land', 'parcels: 128 at once'),
    sale('resale', 'market: 128 at once'),
    moneyMove('deposit'),
    moneyMove('withdrawal'),
    {
      what: 'login',
      apiUs: recorded('logins', LOGINS, 'µs of the api'),
      postgresUs: recorded('logins', LOGINS, 'µs of Postgres'),
      walKb: 1,
      storedKb: SESSION_KB,
      keyKb: 0,
      source: 'logins',
    },
    read('read of own workers', 'own workers, 1,000,000 workers'),
    read('read of history', 'history, 1,000,000 workers'),
    {
      what: 'public read',
      apiUs: recorded('reads', 'the api, parcels of Europe, 12.5 kB', 'µs of CPU time per read'),
      postgresUs: 0,
      walKb: 0,
      storedKb: 0,
      keyKb: 0,
      source: 'reads, parcels of Europe',
    },
  ]
}
