import { renewAddressOffer, retireStaleAddresses } from '#server/deposits/retire-addresses.ts'
import { type Address, type Chain, ChainUnavailable } from '#server/chain/port.ts'
import { rowOf, rowset, sql } from '#server/platform/db/db.ts'
import type { StepDeps } from '../step-deps.ts'
import type { KeyRing } from './key-ring.ts'

/** So many deposit addresses are free, or more are created. */
const STOCK = 150

/** How many addresses are created at the same time, with two calls to a node for each. Some plans allow ten calls a second. */
const BATCH_SIZE = 3

/**
 * New indexes start at a number derived from the time: 1,024 for each ten minutes since the beginning of 2026, some
 * hundred a minute. Older indexes that a restored database does not contain are therefore lower, and are not used again. 2³¹
 * indexes last 40 years.
 */
const EPOCH_MS = Date.UTC(2026, 0, 1)
const INDEX_MS = (10 * 60_000) / 1_024

// Read in every round, so each part reads an index of its own and no assigned address.
const countAddresses = sql({
  name: 'addresses-count',
  row: rowOf<{ free: number; newest: number }>(),
  text: `select
      (select count(*) from deposit_addresses where wallet is null and retired_at is null)::int as free,
      (select coalesce(max(index), 0) from deposit_addresses) as newest`,
})

const addAddresses = sql({
  name: 'addresses-add',
  params: {
    created: rowset({
      index: 'integer',
      owner: 'text',
      token_account: 'text',
      retired_at: 'timestamptz | null',
    }),
  },
  text: ({ created }) => `insert into deposit_addresses (index, owner, token_account, retired_at)
    select index, owner, token_account, retired_at from ${created} on conflict do nothing`,
})

type AddressDeps = StepDeps & { keys: Pick<KeyRing, 'depositAddress'> }

/**
 * Creates deposit addresses in advance, so that the api can assign one without a key. It ends after `limitMs` and the batch that
 * it has begun, since payouts wait meanwhile. An address that already has a history on the chain is stored as retired: its
 * deposits are noticed, but it is never assigned. Rejects with `ChainUnavailable` if no address is free and none can be created.
 */
export async function ensureFreeAddresses(
  deps: AddressDeps,
  { limitMs }: { limitMs: number },
): Promise<void> {
  const { db, clock, log } = deps
  const now = clock.now()
  const retired = await db.transaction(async (tx) => {
    const count = await retireStaleAddresses(tx, now)
    await renewAddressOffer(tx, now)
    return count
  })
  if (retired > 0) log.warn({ retired }, 'stale free deposit addresses were retired')
  const [count] = await db.rows(countAddresses)
  const { free, newest } = count!
  const first = Math.max(newest, firstIndexAt(now)) + 1
  for (let done = 0; free + done < STOCK; done += BATCH_SIZE) {
    const length = Math.min(BATCH_SIZE, STOCK - free - done)
    const indexes = Array.from({ length }, (_, at) => first + done + at)
    if (!(await createAddresses(deps, { indexes, now, isNeeded: free + done === 0 }))) return
    if (clock.now().getTime() - now.getTime() >= limitMs) return
  }
}

const firstIndexAt = (now: Date): number => Math.max(0, Math.floor((now.getTime() - EPOCH_MS) / INDEX_MS))

/** False if the chain is unavailable: a later round creates the rest. Rejects if there is no free address at all. */
async function createAddresses(
  { db, chain, keys, log }: AddressDeps,
  { indexes, now, isNeeded }: { indexes: readonly number[]; now: Date; isNeeded: boolean },
): Promise<boolean> {
  const createAddress = async (index: number) => {
    const owner = await keys.depositAddress(index)
    const tokenAccount = await chain.tokenAccountOf(owner)
    const seen = await Promise.all([owner, tokenAccount].map((address) => hasHistory(chain, address)))
    if (seen.includes(true))
      log.warn({ owner }, 'a new deposit address has a history on the chain and was retired')
    return { index, owner, token_account: tokenAccount, retired_at: seen.includes(true) ? now : null }
  }
  try {
    const created = await Promise.all(indexes.map(createAddress))
    await db.rows(addAddresses, { created })
    return true
  } catch (error) {
    if (isNeeded || !(error instanceof ChainUnavailable)) throw error
    return false
  }
}

async function hasHistory(chain: Chain, address: Address): Promise<boolean> {
  return (await chain.history(address, { limit: 1, commitment: 'confirmed' })).length > 0
}
