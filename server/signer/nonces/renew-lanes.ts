import { readAgreedNonce, askEachNode, isNonceUnused, readLandedSlots } from '#server/chain/quorum.ts'
import type { Address, Chain, Nonce } from '#server/chain/port.ts'
import { buildAdvance } from '#server/chain/transactions.ts'
import { sql } from '#server/platform/db/db.ts'
import type { LaneRenewal, Signer } from '../signer.ts'

/** `nonce` is the one that the lane's payout stands on; null where the lane is free. */
type Lane = { lane: number; nonceAccount: Address; nonce: Nonce | null }

const readLanes = sql(
  'lanes-read-nonces',
  `select l.lane, l.nonce_account as "nonceAccount", p.nonce from lanes l
   left join payouts p on p.withdrawal_id = l.withdrawal_id order by l.lane`,
)

/**
 * True when nothing that the database does not know can land any more. A database that was restored from a backup may
 * have forgotten bytes that were signed since: they live on a lane's nonce, so each free lane's nonce is advanced
 * once after the signer comes up, and waited for. A lane whose known payout has not landed needs none: no later one
 * can exist. Whoever says too early that a lane has moved on can keep such bytes and send them when their withdrawal
 * is paid on another lane, so no node is believed alone.
 */
export async function renewLanes(signer: Signer): Promise<boolean> {
  const lanes = await signer.db.rows<Lane>(readLanes)
  let renewed = lanes.length > 0
  for (const lane of lanes) renewed = (await renewLane(signer, lane)) && renewed
  return renewed
}

async function renewLane(signer: Signer, lane: Lane): Promise<boolean> {
  const { chain, treasury, lanes } = signer
  const renewal = lanes.get(lane.lane) ?? (await startRenewal(chain))
  if (renewal.safeSince !== null) return true
  const markSafe = (safeSince: bigint): true => {
    lanes.set(lane.lane, { ...renewal, safeSince })
    return true
  }
  if (lane.nonce !== null) return (await isNonceUnused(chain, { ...lane, nonce: lane.nonce })) && markSafe(0n)
  const nonce = await readAgreedNonce(chain, lane.nonceAccount, { notBefore: renewal.startSlot })
  if (nonce === null) return false
  // Asked for after the nonce: the advance that has moved it shows by now.
  const landed = await findLandedSlot(chain, renewal)
  const open = renewal.advances.get(nonce)
  // One that stands on the nonce of now may still land, and would take it away from a payout.
  if (landed !== null && !open) return markSafe(landed)
  const advance = open ?? (await buildAdvance({ treasury, lane: { ...lane, nonce } }))
  lanes.set(lane.lane, { ...renewal, advances: new Map(renewal.advances).set(nonce, advance) })
  await chain.send(advance.wire)
  return false
}

async function startRenewal(chain: Chain): Promise<LaneRenewal> {
  // By the node that is furthest: by one that lags, an advance of an earlier process would count as this one's.
  const slots = await askEachNode(chain, (node) => node.slot('finalized'))
  const startSlot = [await chain.slot('finalized'), ...slots].reduce((last, slot) =>
    slot > last ? slot : last,
  )
  return { startSlot, advances: new Map(), safeSince: null }
}

/**
 * In which slot the last of the lane's advances landed for good. Only that says that the lane has moved on since: a
 * nonce that differs from the one before may as well be an older one, of a node that lags.
 */
async function findLandedSlot(chain: Chain, { advances, startSlot }: LaneRenewal): Promise<bigint | null> {
  if (advances.size === 0) return null
  const landed = await readLandedSlots(
    chain,
    [...advances.values()].map((advance) => advance.signature),
  )
  const slots = landed.flatMap((slot) => (slot !== null && slot > startSlot ? [slot] : []))
  return slots.reduce<bigint | null>((last, slot) => (last === null || slot > last ? slot : last), null)
}
