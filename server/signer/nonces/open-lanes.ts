import { deriveLaneKey } from '#server/signer/keys/derive-keys.ts'
import { buildNonceAccount, NONCE_ACCOUNT_BYTES } from '#server/chain/transactions.ts'
import { sql } from '#server/platform/db/db.ts'
import type { Signer } from '../signer.ts'

/** How many payouts can be on their way at once. */
const LANES = 4

const readLanes = sql('lanes-read-numbers', 'select lane from lanes')

const addLane = sql(
  'lanes-add',
  'insert into lanes (lane, nonce_account) values ($1, $2) on conflict do nothing',
)

/** Makes the nonce accounts that are missing; a lane is opened when its account is final on the chain. */
export async function openLanes({ db, chain, seed, treasury }: Signer): Promise<void> {
  const rows = await db.rows<{ lane: number }>(readLanes)
  const known = new Set(rows.map((row) => row.lane))
  for (let lane = 1; lane <= LANES; lane++) {
    if (known.has(lane)) continue
    const nonceAccount = await deriveLaneKey(seed, lane)
    if (await chain.nonceValue(nonceAccount.address, 'finalized')) {
      await db.rows(addLane, [lane, nonceAccount.address])
    } else if (!(await chain.nonceValue(nonceAccount.address, 'processed'))) {
      const rent = await chain.rentFor(NONCE_ACCOUNT_BYTES)
      const lifetime = await chain.latestBlockhash('confirmed')
      // What does not land is built anew: a second one for the same account fails and moves nothing.
      const { wire } = await buildNonceAccount({ nonceAccount, treasury, rent, lifetime })
      await chain.send(wire)
    }
  }
}
