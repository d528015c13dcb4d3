import { type Queryable, sql, type Tx } from '#server/platform/db/db.ts'

const OFFERED = 'addresses_offered'

/** As long may a signer be away, and its free addresses are still given out. */
export const OFFER_LIFE_MS = 2 * 60_000

// A stamp from the future is as strange as an old one.
const retireStale = sql(
  'addresses-retire-stale',
  `update deposit_addresses set retired_at = $1
   where wallet is null and retired_at is null and not exists (
     select from settings where name = $2 and at between $3 and $4
   ) returning index`,
)

const renewOffer = sql(
  'addresses-renew-offer',
  `insert into settings (name, value, at) values ($1, '{}', $2)
   on conflict (name) do update set at = excluded.at
   where abs(extract(epoch from excluded.at - settings.at)) > 30`,
)

/**
 * Retires the free addresses of a database in which no signer has been about of late; answers how many. It may have
 * come back from a backup and have forgotten to whom they were given since. Whoever gives addresses out calls it before
 * the first one.
 */
export async function retireStaleAddresses(tx: Queryable, now: Date): Promise<number> {
  const [from, until] = [-OFFER_LIFE_MS, OFFER_LIFE_MS].map((ms) => new Date(now.getTime() + ms))
  return (await tx.rows(retireStale, [now, OFFERED, from, until])).length
}

/** The signer is about: what is free now may be given out. */
export async function renewAddressOffer(tx: Tx, now: Date): Promise<void> {
  await tx.rows(renewOffer, [OFFERED, now])
}
