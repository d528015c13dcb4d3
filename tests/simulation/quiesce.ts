import { memoTexts } from '#server/chain/port.ts'
import { readToken } from '#server/chain/token-accounts.ts'
import { findViolations, verifyLedger } from '#server/ledger/verify-ledger.ts'
import { AGREEMENTS } from '#server/ops/audit-books.ts'
import { createTx, queryOf } from '#server/platform/db/db.ts'
import { auditTotals } from '#server/solvency/audit-totals.ts'
import { accountAt, ancestorOf } from './forking-chain.ts'
import { ACT_REASON, decideEverything } from './operators.ts'
import { performAction } from './players.ts'
import type { PortCall } from './port-calls.ts'
import { moveTreasury } from './run-fault-phase.ts'
import { tokenAccountOf } from './test-transfers.ts'
import type { SimulatedWorld } from './simulated-world.ts'
import { Violation } from './violation.ts'

const QUIESCENCE_ROUNDS = 100
const BLOCKS_PER_ROUND = 4

/** Runs without faults until nothing is open. Fails if that takes too long. */
export async function quiesce(world: SimulatedWorld): Promise<void> {
  world.inQuiescence = true
  world.clock.catchUp()
  for (const node of world.nodes.values()) {
    node.lag = 0
    node.stuckAt = null
  }
  world.operatorRecord.name()
  world.record('quiescence')
  // One process of each role is enough.
  for (const slot of world.processSlots.filter((each) => each.name.endsWith('-2'))) await world.crash(slot)
  const needed = world.processSlots.filter((each) => !each.name.endsWith('-2'))
  for (let round = 0; round < QUIESCENCE_ROUNDS; round++) {
    for (const slot of needed) if (slot.process === null) world.start(slot)
    await world.calls.waitUntilIdle()
    await moveTreasury(world, false)
    await decideEverything(world)
    await runQuiescentRound(world)
    if (hasQuiesced(world)) {
      await world.checkInvariants()
      if (hasQuiesced(world)) return
    }
  }
  throw new Violation('everything completes', listUnfinished(world).join('; '))
}

/** Runs all processes until each waits for a timer. Then adds blocks and fires the timers. A call may be given a fault. */
export async function runQuiescentRound(
  world: SimulatedWorld,
  chooseFault: (call: PortCall) => string | null = () => null,
): Promise<void> {
  for (;;) {
    const work = world.calls.waiting.find((call) => call.port !== 'pause' && call.ready())
    if (work === undefined) break
    world.steps++
    world.clock.advance(5)
    world.calls.dequeue(work)
    const fault = chooseFault(work)
    if (fault !== null) world.countFault(fault)
    world.record(`${work.process.name} ${work.name}${fault === null ? '' : `: ${fault}`}`)
    ;(await work.perform(fault))()
    await world.calls.waitUntilIdle()
    world.codeErrors.throwFirst()
    if (world.database.changed) await world.checkInvariants()
  }
  for (let blocks = 0; blocks < BLOCKS_PER_ROUND; blocks++) {
    world.clock.advance(500)
    world.addBlock()
  }
  const pauses = world.calls.waiting.filter((call) => call.port === 'pause')
  for (const pause of pauses) {
    world.calls.dequeue(pause)
    ;(await pause.perform(null))()
    // One after the other: otherwise the order of their calls would depend on the lengths of their promise chains.
    await world.calls.waitUntilIdle()
  }
}

function listUnfinished(world: SimulatedWorld): string[] {
  const { ledger, intents, final } = world.invariants
  const credited = new Set(ledger.credits.map((each) => each.signature))
  const unsupported = new Set(
    ledger.receipts.filter((each) => each.state === 'unclaimed').map((each) => each.signature),
  )
  const missing = [...intents].filter(
    ([signature]) => world.invariants.dueAmount(signature) > 0n && !credited.has(signature),
  )
  const unseen = [...intents].filter(
    ([signature, { kind }]) =>
      (kind === 'SOL' ||
        kind === 'another token' ||
        (kind === 'another token to the open account' && world.faultProfile.watchesForeignAccounts)) &&
      final.get(signature)?.error === null &&
      !unsupported.has(signature),
  )
  const swept = new Set(
    ledger.sweeps.filter((each) => each.state === 'finalized').map((each) => each.signature),
  )
  const unbookedSweeps = [...final].filter(
    ([signature, landed]) => isSweep(landed) && landed.error === null && !swept.has(signature),
  )
  return [
    ...world.invariants.openWithdrawals.map(
      (each) => `withdrawal ${each.id} is ${each.state} (${each.reason})`,
    ),
    ...unbookedSweeps.map(([signature]) => `sweep ${signature} is not booked`),
    ...missing.map(([signature, { kind }]) => `${kind} ${signature} is not credited`),
    ...unseen.map(([signature, { kind }]) => `${kind} ${signature} is not recorded`),
    ...ledger.receipts
      .filter((each) => each.state === 'pending')
      .map((each) => `${each.signature} is still pending`),
    ...world.players.filter((each) => each.busy).map((each) => `${each.process.name} is busy`),
    ...(world.chain.inFlight.length > 0 ? ['transactions are in flight'] : []),
    ...(ledger.paused ? ['withdrawals are paused'] : []),
    ...ledger.frozen.map((wallet) => `${wallet} is frozen`),
  ]
}

const isSweep = ({ memo }: { memo: string | null }): boolean =>
  memoTexts(memo).some((text) => text.startsWith('s:'))

function hasQuiesced(world: SimulatedWorld): boolean {
  // The newest blocks are not final yet.
  const unsettled = Array.from({ length: world.chain.reversibleBlocks }, (_, at) =>
    ancestorOf(world.chain.tip, at),
  )
  return unsettled.every((block) => block.landed.length === 0) && listUnfinished(world).length === 0
}

/** The workers of a world are there from its beginning: nobody has hired them. */
const OF_HIRES = new Set([
  'each type has as many workers as were sold',
  'every worker was hired once by its owner, and every hire has its worker',
])
const BOOKS = AGREEMENTS.filter(({ law }) => !OF_HIRES.has(law))

/**
 * The final check: every player claims once more, and the whole ledger is compared with the chain and with the tables of
 * the features.
 */
export async function checkFinalState(world: SimulatedWorld): Promise<void> {
  for (const player of world.players) {
    void performAction(world, player, 'claim')
    await world.calls.waitUntilIdle()
    while (player.busy) await runQuiescentRound(world)
  }
  const { invariants, database } = world
  const owner = createTx((statement, params) => {
    const { name, text, values } = queryOf(statement, params)
    return database.queryAsOwner(name, text, values)
  })
  const findings = [
    ...(await verifyLedger(owner)),
    ...(await auditTotals(owner)),
    ...(await findViolations(owner, BOOKS)),
  ]
  if (findings.length > 0) throw new Violation('the ledger is consistent', JSON.stringify(findings[0]))
  if (!world.restored)
    for (const id of world.grantedWithdrawals)
      if (!invariants.ledger.withdrawals.some((each) => each.id === id))
        throw new Violation('T1 an accepted withdrawal persists', `withdrawal ${id} is gone`)
  if (!world.restored)
    for (const id of world.cancelledWithdrawals)
      if (!invariants.ledger.withdrawals.some((each) => each.id === id && each.state === 'refunded'))
        throw new Violation('W8 what is cancelled is refunded', `withdrawal ${id} is not`)
  for (const id of world.grantedDuringLock) throw new Violation('W9 nothing is requested during a lock', id)
  await checkTokenBalances(world)
  countOutcomes(world)
}

function countOutcomes({ invariants, coverage, restored, operatorRecord }: SimulatedWorld): void {
  const { ledger, intents } = invariants
  const approved = new Set(operatorRecord.approvals.map((each) => each.id))
  for (const { state } of ledger.withdrawals) coverage.count(`done: withdrawal ${state}`)
  for (const { signature } of ledger.credits)
    coverage.count(`done: credited ${intents.get(signature as never)?.kind}`)
  for (const { state, asset } of ledger.receipts) coverage.count(`done: receipt ${state} ${asset}`)
  for (const { state } of ledger.sweeps) coverage.count(`done: sweep ${state}`)
  for (const { id, reason } of ledger.withdrawals) {
    if (approved.has(id) && invariants.paid.has(id)) coverage.count('done: withdrawal paid after approvals')
    if (reason === ACT_REASON) coverage.count('done: withdrawal rejected')
  }
  for (const _ of ledger.claimed) coverage.count('done: claims of a player')
  if (restored) coverage.count('done: world from a backup')
}

async function checkTokenBalances(world: SimulatedWorld): Promise<void> {
  const { mint, treasury, cold } = world.genesis
  const tokensIn = async (owner: string): Promise<bigint> => {
    const account = accountAt(world.chain.tip, await tokenAccountOf(mint, owner as typeof mint))
    return (account && readToken(account)?.amount) ?? 0n
  }
  type Row = { owner: string; sum: bigint }
  const owners = await world.database.queryAsOwner<Row>('world-owners', 'select owner from deposit_addresses')
  const [ledger] = await world.database.queryAsOwner<Row>(
    'world-treasury',
    `select -coalesce(sum(amount), 0)::bigint as sum from entries where account = 'treasury'`,
  )
  let held = 0n
  for (const owner of [treasury.address, cold.address, ...owners.map((row) => row.owner)])
    held += await tokensIn(owner)
  if (held !== ledger!.sum)
    throw new Violation('the ledger matches the chain', `${ledger!.sum} in the books, ${held} on the chain`)
}
