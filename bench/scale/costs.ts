import type { Recorded } from './recorded.ts'

/** What one operation costs. Times in µs of a processor. */
export type Cost = {
  what: string
  apiUs: number
  postgresUs: number
  walKb: number
  /** What stays in the database, in kB. */
  storedKb: number
  source: string
}

// A row of `journals`, two of `entries` and their index entries, and the idempotency key, which is deleted after 48 hours.
const LEDGER_KB = 0.8

// The worker, parcel or listing and its index entries.
const THING_KB = 0.3

/** A session is deleted some time after its end. */
const SESSION_KB = 0.4

/** Costs of the operations of players, from the recorded results. */
export function costsOf(recorded: Recorded): Cost[] {
  const sale = (what: string, row: string): Cost => ({
    what,
    apiUs: recorded('sales', row, 'µs of the api'),
    postgresUs: recorded('sales', row, 'µs of Postgres'),
    walKb: recorded('growth', 'hire, 1,000,000 workers', 'kB of WAL'),
    storedKb: LEDGER_KB + THING_KB,
    source: 'sales, 128 at once',
  })
  const read = (what: string, row: string): Cost => ({
    what,
    apiUs: recorded('growth', row, 'µs of Node'),
    postgresUs: recorded('growth', row, 'µs of Postgres'),
    walKb: 0,
    storedKb: 0,
    source: 'growth, a million workers',
  })
  return [
    {
      what: 'claim',
      apiUs: recorded('claims', '128 at once', 'µs of the api'),
      // The claims suite has a small database.
      postgresUs: recorded('growth', 'claim, 1,000,000 workers', 'µs of Postgres'),
      walKb: recorded('growth', 'claim, 1,000,000 workers', 'kB of WAL'),
      storedKb: LEDGER_KB,
      source: 'claims, 128 at once; growth, a million workers',
    },
    sale('hire', 'hires: 128 at once'),
    sale('purchase of land', 'parcels: 128 at once'),
    sale('resale', 'market: 128 at once'),
    {
      what: 'login',
      apiUs: recorded('logins', 'logins: nonce, signature and session', 'µs of the api'),
      postgresUs: recorded('logins', 'logins: nonce, signature and session', 'µs of Postgres'),
      walKb: 1,
      storedKb: SESSION_KB,
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
      source: 'reads, parcels of Europe',
    },
  ]
}
