import { renewAddressOffer, retireStaleAddresses } from '#server/deposits/retire-addresses.ts'
import { deriveKey } from './derive-keys.ts'
import { type Address, ChainUnavailable } from '#server/chain/port.ts'
import { sql } from '#server/platform/db/db.ts'
import type { Signer } from '../signer.ts'

/** How many free deposit addresses stand ready, and how few may be left before more are made. */
const TARGET_FREE = 200
const MIN_FREE = 150

/** So many are made, and their histories asked for, at once. */
const BATCH_SIZE = 10

/**
 * New indexes begin at the time of day: so many for each ten minutes since the beginning of 2026. What a database has
 * forgotten that came back from a backup lies before, with no need to remember it anywhere. 2³¹ last for 40 years.
 */
const EPOCH_MS = Date.UTC(2026, 0, 1)
const SPAN_MS = 10 * 60_000
const INDEXES_IN_A_SPAN = 1_024

const countAddresses = sql(
  'addresses-count',
  `select count(*) filter (where wallet is null and retired_at is null)::int as free,
     coalesce(max(index), 0) as newest from deposit_addresses`,
)

const addAddresses = sql(
  'addresses-add',
  `insert into deposit_addresses (index, owner, token_account, retired_at)
   select * from unnest($1::integer[], $2::text[], $3::text[], $4::timestamptz[]) on conflict do nothing`,
)

/**
 * Makes deposit addresses ahead, so that players take one without anyone else ever seeing the seed. One that the chain
 * has ever seen is kept, so that what arrives there is noticed, but is given to nobody.
 */
export async function ensureFreeAddresses(signer: Signer): Promise<void> {
  const { db, clock, log } = signer
  const now = clock.now()
  const retired = await db.transaction(async (tx) => {
    const count = await retireStaleAddresses(tx, now)
    await renewAddressOffer(tx, now)
    return count
  })
  if (retired > 0) log.warn({ retired }, 'free deposit addresses of an earlier time are given to nobody')
  const [count] = await db.rows<{ free: number; newest: number }>(countAddresses)
  const { free, newest } = count!
  if (free >= MIN_FREE) return
  let index = Math.max(newest, firstIndexAt(now)) + 1
  for (let missing = TARGET_FREE - free; missing > 0; missing -= BATCH_SIZE, index += BATCH_SIZE) {
    const indexes = Array.from({ length: Math.min(BATCH_SIZE, missing) }, (_, at) => index + at)
    if (!(await createAddresses(signer, { indexes, now, first: free === 0 && missing === TARGET_FREE })))
      return
  }
}

const firstIndexAt = (now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - EPOCH_MS) / SPAN_MS) * INDEXES_IN_A_SPAN)

/** False where the chain cannot be asked: the rest is made in a later round. Rejects where not even one stands ready. */
async function createAddresses(
  { db, chain, seed, log }: Signer,
  { indexes, now, first }: { indexes: readonly number[]; now: Date; first: boolean },
): Promise<boolean> {
  const createAddress = async (index: number) => {
    const { address: owner } = await deriveKey(seed, index)
    const tokenAccount = await chain.tokenAccountOf(owner)
    const seen = await Promise.all([owner, tokenAccount].map((address) => hasHistory(chain, address)))
    if (seen.includes(true)) log.warn({ owner }, 'a new deposit address has a past and is given to nobody')
    return { owner, tokenAccount, retiredAt: seen.includes(true) ? now : null }
  }
  try {
    const created = await Promise.all(indexes.map(createAddress))
    const values = [created.map((each) => each.owner), created.map((each) => each.tokenAccount)]
    await db.rows(addAddresses, [indexes, ...values, created.map((each) => each.retiredAt)])
    return true
  } catch (error) {
    if (first || !(error instanceof ChainUnavailable)) throw error
    return false
  }
}

async function hasHistory(chain: Signer['chain'], address: Address): Promise<boolean> {
  return (await chain.history(address, { limit: 1, commitment: 'confirmed' })).length > 0
}
