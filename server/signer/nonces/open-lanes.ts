import type { KeyPairSigner } from '@solana/kit'
import { findNonceAccounts, readAgreedNonce } from '#server/chain/quorum.ts'
import { buildNonceAccount, NONCE_ACCOUNT_BYTES } from '#server/chain/transactions.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { MAX_PAYOUT_LANES, type WithdrawalSettings } from '#server/platform/withdrawal-settings.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { StepDeps } from '../step-deps.ts'
import { readStartSlot, type StartSlot } from './renew-lanes.ts'

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

type LanesDeps = Pick<StepDeps, 'db' | 'chain'> & { keys: Pick<KeyRing, 'laneKey'> }

type FindLanesDeps = LanesDeps & { startSlot: StartSlot }

type OpenLanesDeps = LanesDeps & {
  treasury: KeyPairSigner
  settings: Pick<WithdrawalSettings, 'payoutLanes'>
}

const LANES = Array.from({ length: MAX_PAYOUT_LANES }, (_, at) => at + 1)

const readKnownLanes = async ({ db }: Pick<StepDeps, 'db'>): Promise<Set<number>> =>
  new Set((await db.rows(readLanes)).map((row) => row.lane))

/**
 * Records every lane whose nonce account exists, however many lanes are used now. A restored database may not contain
 * lanes that were opened after the backup, and their payouts can land until `renewLanes` has advanced the nonces. False
 * while too few nodes answer or agree. A lane that does not exist would never be renewed, and nothing would be signed.
 */
export async function findLanes(deps: FindLanesDeps): Promise<boolean> {
  const { db, chain, keys, startSlot } = deps
  const known = await readKnownLanes(deps)
  const notBefore = await readStartSlot(chain, startSlot)
  const unknown = LANES.filter((lane) => !known.has(lane))
  const nonceAccounts = await Promise.all(unknown.map(async (lane) => (await keys.laneKey(lane)).address))
  const existing = await findNonceAccounts(chain, nonceAccounts, { notBefore })
  if (existing === null) return false
  for (const [at, lane] of unknown.entries()) {
    const nonceAccount = nonceAccounts[at]!
    if (existing.has(nonceAccount)) await db.rows(addLane, { lane, nonceAccount })
  }
  return true
}

/**
 * Creates the nonce accounts of missing lanes. A lane opens when its nonce account is finalized on two nodes (or the only
 * one).
 */
export async function openLanes(deps: OpenLanesDeps): Promise<void> {
  const { db, chain, keys, treasury, settings } = deps
  const known = await readKnownLanes(deps)
  for (let lane = 1; lane <= settings.payoutLanes; lane++) {
    if (known.has(lane)) continue
    const nonceAccount = await keys.laneKey(lane)
    if (await readAgreedNonce(chain, nonceAccount.address, { notBefore: 0n })) {
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
