import type { Address } from '#server/chain/port.ts'
import { buildAdvance } from '#server/chain/transactions.ts'
import { sql } from '#server/platform/db/db.ts'
import type { Signer } from './signer.ts'

type Lane = { lane: number; nonceAccount: Address; nonce: string | null }

const readLanes = sql(
  'lanes-read-nonces',
  `select l.lane, l.nonce_account as "nonceAccount", p.nonce from lanes l
   left join payouts p on p.withdrawal_id = l.withdrawal_id order by l.lane`,
)

/**
 * True when nothing that the database does not know can land any more. A database that was restored from a backup may
 * have forgotten bytes that were signed since: they live on a lane's nonce, so each free lane's nonce is advanced
 * once after the signer comes up, and waited for. A lane whose known payout has not landed needs none: no later one
 * can exist.
 */
export async function renewLanes(signer: Signer): Promise<boolean> {
  const lanes = await signer.db.rows<Lane>(readLanes)
  let renewed = lanes.length > 0
  for (const lane of lanes) renewed = (await renewLane(signer, lane)) && renewed
  return renewed
}

async function renewLane(
  { chain, treasury, lanes }: Signer,
  { lane, nonceAccount, nonce: signed }: Lane,
): Promise<boolean> {
  const care = lanes.get(lane)
  if (care?.renewed) return true
  const nonce = await chain.nonceValue(nonceAccount, 'finalized')
  if (nonce === null) return false
  if (signed !== null) {
    // The payout is to be settled first, where the nonce has moved on.
    if (nonce === signed) lanes.set(lane, { nonceBefore: nonce, renewed: true })
    return nonce === signed
  }
  if (care && care.nonceBefore !== nonce) {
    lanes.set(lane, { ...care, renewed: true })
    return true
  }
  lanes.set(lane, { nonceBefore: nonce, renewed: false })
  if ((await chain.nonceValue(nonceAccount, 'processed')) === nonce) {
    const { wire } = await buildAdvance({ treasury, lane: { nonceAccount, nonce } })
    await chain.send(wire)
  }
  return false
}
