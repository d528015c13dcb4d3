import { deriveKey } from '#server/chain/keys.ts'
import { sql } from '#server/platform/db/db.ts'
import type { Signer } from './signer.ts'

/** How many free deposit addresses stand ready, and how few may be left before more are made. */
const READY = 200
const FEWEST = 150

const countAddresses = sql(
  'addresses-count',
  `select count(*) filter (where wallet is null)::int as free, coalesce(max(index), 0) as newest
   from deposit_addresses`,
)

const addAddresses = sql(
  'addresses-add',
  `insert into deposit_addresses (index, owner, token_account)
   select * from unnest($1::integer[], $2::text[], $3::text[]) on conflict do nothing`,
)

/** Makes deposit addresses ahead, so that players take one without anyone else ever seeing the seed. */
export async function fillAddresses({ db, chain, seed }: Signer): Promise<void> {
  const [count] = await db.rows<{ free: number; newest: number }>(countAddresses)
  const { free, newest } = count!
  if (free >= FEWEST) return
  const indexes = Array.from({ length: READY - free }, (_, at) => newest + 1 + at)
  const owners: string[] = []
  const tokenAccounts: string[] = []
  for (const index of indexes) {
    const { address } = await deriveKey(seed, index)
    owners.push(address)
    tokenAccounts.push(await chain.tokenAccountOf(address))
  }
  await db.rows(addAddresses, [indexes, owners, tokenAccounts])
}
