import { type Queryable, sql, type Tx } from '#server/platform/db/db.ts'
import { databaseName } from '#server/platform/db/name-database.ts'

const OFFERED = 'addresses_offered'

const THIS_DATABASE = databaseName('deposit_addresses')

/** Selects a row if the signer has offered the free addresses in this very database. Another one may have forgotten owners. */
export const OFFER = `select from settings where name = '${OFFERED}' and value = ${THIS_DATABASE}`

/** How long free addresses are still assigned after the signer was last seen. */
export const OFFER_LIFE_MS = 2 * 60_000

// A timestamp from the future is as invalid as an old one.
const retireStale = sql({
  name: 'addresses-retire-stale',
  params: { now: 'timestamptz', since: 'timestamptz', until: 'timestamptz' },
  text: ({ now, since, until }) =>
    `update deposit_addresses set retired_at = ${now}
     where wallet is null and retired_at is null and not exists (${OFFER} and at between ${since} and ${until})
     returning index`,
})

const renewOffer = sql({
  name: 'addresses-renew-offer',
  params: { now: 'timestamptz' },
  text: ({ now }) =>
    `insert into settings (name, value, at) values ('${OFFERED}', ${THIS_DATABASE}, ${now})
     on conflict (name) do update set value = excluded.value, at = excluded.at
     where settings.value <> excluded.value or abs(extract(epoch from excluded.at - settings.at)) > 30`,
})

/**
 * Retires all free addresses if no signer was active in this database within OFFER_LIFE_MS, and returns how many. The
 * database may be a restored backup or a promoted standby that does not know to whom they were assigned since. A process that
 * assigns addresses calls this before its first assignment.
 */
export async function retireStaleAddresses(db: Queryable, now: Date): Promise<number> {
  const since = new Date(now.getTime() - OFFER_LIFE_MS)
  const until = new Date(now.getTime() + OFFER_LIFE_MS)
  return (await db.rows(retireStale, { now, since, until })).length
}

/** Records that the signer is active in this database, so that its free addresses may be assigned. */
export async function renewAddressOffer(tx: Tx, now: Date): Promise<void> {
  await tx.rows(renewOffer, { now })
}
