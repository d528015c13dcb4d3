import { type Queryable, sql, type Tx } from '#server/platform/db/db.ts'

const OFFERED = 'addresses_offered'

/** How long free addresses are still assigned after the signer was last seen. */
export const OFFER_LIFE_MS = 2 * 60_000

// A timestamp from the future is as invalid as an old one.
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
 * Retires all free addresses if no signer was active within OFFER_LIFE_MS, and returns how many. The database may be a
 * restored backup that does not know to whom they were assigned since. A process that assigns addresses calls this before
 * its first assignment.
 */
export async function retireStaleAddresses(tx: Queryable, now: Date): Promise<number> {
  const [from, until] = [-OFFER_LIFE_MS, OFFER_LIFE_MS].map((ms) => new Date(now.getTime() + ms))
  return (await tx.rows(retireStale, [now, OFFERED, from, until])).length
}

/** Records that the signer is active, so that the free addresses may be assigned. */
export async function renewAddressOffer(tx: Tx, now: Date): Promise<void> {
  await tx.rows(renewOffer, [OFFERED, now])
}
