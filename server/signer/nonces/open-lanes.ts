import type { KeyPairSigner } from '@solana/kit'
import { buildNonceAccount, NONCE_ACCOUNT_BYTES } from '#server/chain/transactions.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { StepDeps } from '../step-deps.ts'

/** How many payouts can be in flight at once. */
const LANES = 4

const readLanes = sql({
  name: 'lanes-read-numbers',
  row: rowOf<{ lane: number }>(),
  text: 'select lane from lanes',
})

const addLane = sql({
  name: 'lanes-add',
  params: { lane: 'integer', nonceAccount: 'text' },
  text: ({ lane, nonceAccount }) =>
    `insert into lanes (lane, nonce_account) values (${lane}, ${nonceAccount}) on conflict do nothing`,
})

type OpenLanesDeps = Pick<StepDeps, 'db' | 'chain'> & {
  keys: Pick<KeyRing, 'laneKey'>
  treasury: KeyPairSigner
}

/** Creates missing nonce accounts. A lane opens when its nonce account is finalized. */
export async function openLanes({ db, chain, keys, treasury }: OpenLanesDeps): Promise<void> {
  const rows = await db.rows(readLanes)
  const known = new Set(rows.map((row) => row.lane))
  for (let lane = 1; lane <= LANES; lane++) {
    if (known.has(lane)) continue
    const nonceAccount = await keys.laneKey(lane)
    if (await chain.nonceValue(nonceAccount.address, 'finalized')) {
      await db.rows(addLane, { lane, nonceAccount: nonceAccount.address })
    } else if (!(await chain.nonceValue(nonceAccount.address, 'processed'))) {
      const rent = await chain.rentFor(NONCE_ACCOUNT_BYTES)
      const lifetime = await chain.latestBlockhash('confirmed')
      // If it does not land, the next round builds another one. A second creation of the same account fails.
      const { wire } = await buildNonceAccount({ nonceAccount, treasury, rent, lifetime })
      await chain.send(wire)
    }
  }
}
