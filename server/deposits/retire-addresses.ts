import { type Queryable, sql, type Tx } from '#server/platform/db/db.ts'

const OFFERED = 'addresses_offered'

/** How long free addresses are still assigned after the signer was last seen. */
export const OFFER_LIFE_MS = 2 * 60_000

// A timestamp from the future is as invalid as an old one.
const retireStale = sql({
  name: 'addresses-retire-stale',
  params: { now: 'timestamptz', offered: 'text', since: 'timestamptz', until: 'timestamptz' },
  text: ({ now, offered, since, until }) =>
    `update deposit_addresses set retired_at = ${now}
     where wallet is null and retired_at is null and not exists (
       select from settings where name = ${offered} and at between ${since} and ${until}
     ) returning index`,
})

const renewOffer = sql({
  name: 'addresses-renew-offer',
  params: { offered: 'text', now: 'timestamptz' },
  text: ({ offered, now }) =>
    `insert into settings (name, value, at) values (${offered}, '{}', ${now})
     on conflict (name) do update set at = excluded.at
     where abs(extract(epoch from excluded.at - settings.at)) > 30`,
})

/**
 * Retires all free addresses if no signer was active within OFFER_LIFE_MS, and returns how many. The database may be a
 * restored backup that does not know to whom they were assigned since. A process that assigns addresses calls this before
 * its first assignment.
 */
export async function retireStaleAddresses(db: Queryable, now: Date): Promise<number> {
  const since = new Date(now.getTime() - OFFER_LIFE_MS)
  const until = new Date(now.getTime() + OFFER_LIFE_MS)
  return (await db.rows(retireStale, { now, offered: OFFERED, since, until })).length
}

/** Records that the signer is active, so that the free addresses may be assigned. */
export async function renewAddressOffer(tx: Tx, now: Date): Promise<void> {
  await tx.rows(renewOffer, { offered: OFFERED, now })
}
