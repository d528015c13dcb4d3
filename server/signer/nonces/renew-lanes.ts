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
import { hasTimedOut } from '../payouts/attempt-timeout.ts'
import { nextUnitPrice, readCappedUnitPrice, type UnitPriceDeps } from '../payouts/unit-price.ts'
import type { StepDeps } from '../step-deps.ts'

/** The lanes that this process has made safe to sign on, or is renewing, by number. */
export type Lanes = Map<number, LaneRenewal>

/** The slot from which this process reads its lanes; null before enough nodes have named theirs. */
export type StartSlot = { slot: bigint | null }

/** How far the renewal of a lane has come. */
type LaneRenewal = {
  /** Slot before this process first read the lane's nonce. An advance that landed later used up older nonces. */
  startSlot: bigint
  /** The advances that this process sent, by the nonce that they use, oldest first. At most one of a nonce can land. */
  advances: ReadonlyMap<Nonce, readonly Advance[]>
  /** Slot since which no unknown transaction can land; null while one can, and the lane must not be used. */
  safeSince: bigint | null
}

/** `unitPrice` in microlamports per compute unit. */
type Advance = SignedTransaction & { unitPrice: bigint; signedAt: Date }

/** What renewing lanes needs: the treasury's key signs the advances. */
type RenewLanesDeps = Pick<StepDeps, 'db' | 'clock'> &
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
  const { chain, lanes } = deps
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
  const open = renewal.advances.get(nonce) ?? []
  // An advance that uses the current nonce can still land and would invalidate a payout on that nonce.
  if (landed !== null && open.length === 0) return markSafe(landed)
  const advances = await withNextAdvance(deps, { lane: { ...lane, nonce }, open })
  lanes.set(lane.lane, { ...renewal, advances: new Map(renewal.advances).set(nonce, advances) })
  await chain.send(advances.at(-1)!.wire)
  return false
}

type Advancing = { lane: { nonceAccount: Address; nonce: Nonce }; open: readonly Advance[] }

/**
 * The advances of a nonce, with another one at a higher fee if no block has included the last one in time: while blocks are full, one
 * with the first fee would stop all new payouts.
 */
async function withNextAdvance(deps: RenewLanesDeps, { lane, open }: Advancing): Promise<readonly Advance[]> {
  const { clock, settings, treasury } = deps
  const last = open.at(-1)
  if (last && !hasTimedOut(open, clock.now())) return open
  const market = await readCappedUnitPrice(deps)
  const cap = settings.maxUnitPriceMicrolamports
  const unitPrice = last ? nextUnitPrice({ last: last.unitPrice, market, cap }) : market
  if (unitPrice === null) return open
  const advance = await buildAdvance({ treasury, lane, unitPriceMicrolamports: unitPrice })
  return [...open, { ...advance, unitPrice, signedAt: clock.now() }]
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
    [...advances.values()].flat().map((advance) => advance.signature),
  )
  const slots = landed.flatMap((slot) => (slot !== null && slot > startSlot ? [slot] : []))
  return slots.reduce<bigint | null>((last, slot) => (last === null || slot > last ? slot : last), null)
}
