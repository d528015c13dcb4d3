import type { KeyPairSigner } from '@solana/kit'
import {
  isNonceUnused,
  readAgreedNonce,
  readHighestFinalSlot,
  readLandedSlots,
} from '#server/chain/quorum.ts'
import type { Address, Chain, Nonce } from '#server/chain/port.ts'
import { buildAdvance, type SignedTransaction } from '#server/chain/transactions.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { readCappedUnitPrice, type UnitPriceDeps } from '../payouts/unit-price.ts'
import type { StepDeps } from '../step-deps.ts'

/** The lanes that this process has made safe to sign on, or is renewing, by number. */
export type Lanes = Map<number, LaneRenewal>

/** The slot from which this process reads its lanes; null before enough nodes have named theirs. */
export type StartSlot = { slot: bigint | null }

/** How far the renewal of a lane has come. */
type LaneRenewal = {
  /** Slot before this process first read the lane's nonce. An advance that landed later used up older nonces. */
  startSlot: bigint
  /** The advances that this process sent, by the nonce that each uses. */
  advances: ReadonlyMap<Nonce, SignedTransaction>
  /** Slot since which no unknown transaction can land; null while one can, and the lane must not be used. */
  safeSince: bigint | null
}

/** What renewing lanes needs: the treasury's key signs the advances. */
type RenewLanesDeps = Pick<StepDeps, 'db'> &
  UnitPriceDeps & { lanes: Lanes; startSlot: StartSlot; treasury: KeyPairSigner }

/** `nonce` is the nonce of the lane's payout; null if the lane is free. */
type Lane = { lane: number; nonceAccount: Address; nonce: Nonce | null }

const readLanes = sql({
  name: 'lanes-read-nonces',
  row: rowOf<Lane>(),
  text: `select l.lane, l.nonce_account as "nonceAccount", p.nonce from lanes l
    left join payouts p on p.withdrawal_id = l.withdrawal_id order by l.lane`,
})

/**
 * True when no transaction that is missing from the database can still land. A restored database may not contain
 * payouts that were signed after the backup. Each uses a lane's nonce, so the nonce of each free lane is advanced once
 * after the start, and the advance must be finalized. A lane whose known payout has not landed needs no advance: no
 * later payout can use it. A single node is never believed: a node that reports an advance too early could store an
 * old payout and send it after its withdrawal was paid on another lane.
 */
export async function renewLanes(deps: RenewLanesDeps): Promise<boolean> {
  const lanes = await deps.db.rows(readLanes)
  let renewed = lanes.length > 0
  for (const lane of lanes) renewed = (await renewLane(deps, lane)) && renewed
  return renewed
}

async function renewLane(deps: RenewLanesDeps, lane: Lane): Promise<boolean> {
  const { chain, treasury, lanes } = deps
  const renewal = lanes.get(lane.lane) ?? (await startRenewal(deps))
  if (renewal.safeSince !== null) return true
  const markSafe = (safeSince: bigint): true => {
    lanes.set(lane.lane, { ...renewal, safeSince })
    return true
  }
  if (lane.nonce !== null) {
    // A lagging node may still show the nonce of a payout that has landed, and hide a later one. Nor is the nonce of the next
    // payout read on one that still shows an older one.
    const of = { ...lane, nonce: lane.nonce, notBefore: renewal.startSlot }
    return (await isNonceUnused(chain, of)) && markSafe(renewal.startSlot)
  }
  const nonce = await readAgreedNonce(chain, lane.nonceAccount, { notBefore: renewal.startSlot })
  if (nonce === null) return false
  // Read after the nonce, so that the advance that changed the nonce is visible.
  const landed = await findLandedSlot(chain, renewal)
  const open = renewal.advances.get(nonce)
  // An advance that uses the current nonce can still land and would invalidate a payout on that nonce.
  if (landed !== null && !open) return markSafe(landed)
  const advance =
    open ??
    (await buildAdvance({
      treasury,
      lane: { ...lane, nonce },
      unitPriceMicrolamports: await readCappedUnitPrice(deps),
    }))
  lanes.set(lane.lane, { ...renewal, advances: new Map(renewal.advances).set(nonce, advance) })
  await chain.send(advance.wire)
  return false
}

async function startRenewal({ chain, startSlot }: RenewLanesDeps): Promise<LaneRenewal> {
  return { startSlot: await readStartSlot(chain, startSlot), advances: new Map(), safeSince: null }
}

/**
 * A slot that the node that is furthest has reached since this process started. Once enough nodes have answered, it stays the
 * same: of nodes that are always some slots apart, only the first one has reached a slot that was just read.
 */
export async function readStartSlot(chain: Chain, startSlot: StartSlot): Promise<bigint> {
  if (startSlot.slot !== null) return startSlot.slot
  const { slot, isLasting } = await readHighestFinalSlot(chain)
  if (isLasting) startSlot.slot = slot
  return slot
}

/**
 * The slot in which the last of this process's advances was finalized; null if none was. A nonce that differs from the
 * previous one proves nothing: a lagging node may have returned an older nonce.
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
