import { signWithBlockhash } from '#server/chain/transactions.ts'
import { readToken } from '#server/chain/token-accounts.ts'
import { getTransferCheckedInstruction } from '@solana-program/token'
import { LIES } from './chain-node.ts'
import { FORGETS } from './fault-profile.ts'
import { accountAt } from './forking-chain.ts'
import { forgeActs } from './forge-acts.ts'
import { isUseful, type Operator, OPERATOR_ACTIONS, performOperatorAction } from './operators.ts'
import { type PlayerAction, PLAYER_ACTIONS, performAction, type Player } from './players.ts'
import type { Delivery, PortCall } from './port-calls.ts'
import { tokenAccountOf } from './test-transfers.ts'
import type { SimulatedWorld } from './simulated-world.ts'

const DAY_MS = 24 * 60 * 60_000

/** Runs random faults and player actions for the profile's number of steps. */
export async function runFaultPhase(world: SimulatedWorld): Promise<void> {
  const backup: Backup = { taken: false, withdrawals: '', restoredAt: -Infinity }
  while (world.steps < world.faultProfile.steps) {
    world.steps++
    world.clock.advance(world.random.between(50, 2_000))
    await runFaultStep(world, backup)
    await world.calls.waitUntilIdle()
    world.codeErrors.throwFirst()
    if (world.database.changed) await world.checkInvariants()
  }
}

type Backup = { taken: boolean; withdrawals: string; restoredAt: number }

async function runFaultStep(world: SimulatedWorld, backup: Backup): Promise<void> {
  const { random, faultProfile, database } = world
  const signerStands = standsStill(world)
  const ready = world.calls.waiting.filter(
    (call) => call.ready() && !(signerStands && call.process.role === 'signer'),
  )
  const ofSigner = ready.filter((call) => call.process.role === 'signer')
  if (faultProfile.signsEarly && ofSigner.length > 0 && random.chance(0.4))
    return performCall(world, random.pick(ofSigner))
  const work = ready.filter((call) => call.port !== 'pause')
  const pauses = ready.filter((call) => call.port === 'pause')
  const idle = world.players.filter((player) => !player.busy)
  const atEase = world.operators.filter((operator) => !operator.busy)
  // Somebody who forges decisions does so when there is one to forge.
  const forgeries = faultProfile.forgeries * (world.openStates.includes('withdrawal review') ? 1.5 : 0.2)
  // The owner's statements must not wait for a transaction, and what it has read must not change.
  const isFree = database.transactionOwner === null
  const down = world.processSlots.filter((slot) => slot.process === null)
  const weightIf = (weight: number, possible: boolean): number => (possible ? weight : 0)
  const step = random.weighted<() => Promise<void> | void>([
    {
      weight: weightIf(70, work.length > 0),
      value: () => performCall(world, random.weighted(work.map(weightCall))),
    },
    {
      weight: weightIf(9, pauses.length > 0),
      value: () => performCall(world, random.weighted(pauses.map(weightCall))),
    },
    { weight: 15, value: () => world.addBlock() },
    {
      weight: weightIf(faultProfile.isStrict ? 5 : 3, idle.length > 0),
      value: () => startPlayerAction(world, random.pick(idle)),
    },
    { weight: weightIf(5, down.length > 0), value: () => world.start(random.pick(down)) },
    {
      weight: weightIf(hasWork(world) ? faultProfile.operators : 0.04, atEase.length > 0),
      value: () => startOperatorAction(world, random.pick(atEase)),
    },
    {
      weight: weightIf(forgeries, isFree),
      value: () => forgeActs(world),
    },
    { weight: weightIf(faultProfile.operatorChanges, isFree), value: () => changeOperators(world) },
    { weight: faultProfile.forks, value: () => world.fork() },
    { weight: faultProfile.nodes, value: () => moveNode(world) },
    { weight: faultProfile.replays, value: () => world.replaySent() },
    { weight: faultProfile.jumps, value: () => jumpClock(world) },
    { weight: faultProfile.drains, value: () => moveTreasury(world, random.chance(0.5)) },
    {
      weight: weightIf(restoreWeight(world, backup), isFree),
      value: () => backUpOrRestore(world, backup),
    },
  ])
  await step()
}

// Watchers make many repetitive calls. Calls of the signer matter more, and one round of it has many.
const CALL_WEIGHTS = { watcher: 1, api: 4, player: 4, operator: 4, reserve: 8, signer: 30 }

const weightCall = (call: PortCall) => ({ weight: CALL_WEIGHTS[call.process.role], value: call })

/** Whether the signer has signed something and does not go on to send it, except rarely. */
const standsStill = ({ random, faultProfile, openStates }: SimulatedWorld): boolean =>
  faultProfile.signsEarly &&
  (openStates.includes('withdrawal signed') || openStates.includes('sweep signed')) &&
  !random.chance(0.03)

const isShort = ({ openStates }: SimulatedWorld): boolean => openStates.includes('tokens missing')

/** Performs one call: correctly, with a fault, or with a crash of its process before or after it. */
async function performCall(world: SimulatedWorld, call: PortCall): Promise<void> {
  const { random, faultProfile } = world
  world.calls.dequeue(call)
  const name = `${call.process.name} ${call.name}`
  const slot = world.processSlots.find((each) => each.process === call.process)
  if (slot !== undefined && random.chance(faultProfile.crash[call.process.role])) {
    const after = random.chance(0.5)
    if (after) await call.perform(null)
    world.coverage.count(`crash: ${slot.role} ${call.name} ${after ? 'after' : 'before'}`)
    world.countFault('crash')
    world.record(`${name}: dies ${after ? 'after' : 'before'} it`)
    await world.crash(slot)
    return switchMachines(world)
  }
  if (call.name === 'payouts-insert') world.coverage.count('signed under faults')
  const fault = chooseFault(world, call)
  if (fault !== null) {
    world.countFault(fault)
    world.coverage.count(`at: ${fault} at ${call.process.role} ${call.name}`)
  }
  world.record(fault === null ? name : `${name}: ${fault}`)
  const deliver: Delivery = await call.perform(fault)
  deliver()
}

function chooseFault(world: SimulatedWorld, call: PortCall): string | null {
  const { random, faultProfile } = world
  const lie = LIES.find((each) => call.faults.includes(each))
  if (lie !== undefined && random.chance(faultProfile.lieProbability)) return lie
  if (faultProfile.faultKinds.has('short page') && call.faults.includes('short page') && random.chance(0.1))
    return 'short page'
  // Hardly any call asks for a status while tokens are missing: most of what is sent waits then.
  if (
    faultProfile.faultKinds.has(FORGETS) &&
    call.faults.includes(FORGETS) &&
    isShort(world) &&
    random.chance(0.5)
  )
    return FORGETS
  if (faultProfile.losesSendAnswers && call.name === 'sendTransaction' && random.chance(0.7))
    return 'answer lost'
  if (faultProfile.landsLate && call.name === 'sendTransaction' && random.chance(0.5)) return 'lands late'
  if (faultProfile.restores && !world.restored && call.name === 'sendTransaction' && random.chance(0.4))
    return 'send dropped'
  const sendFaults = ['send dropped', 'send doubled'].filter((kind) => faultProfile.faultKinds.has(kind))
  if (call.name === 'sendTransaction' && sendFaults.length > 0 && random.chance(0.2))
    return random.pick(sendFaults)
  const possible = call.faults.filter((kind) => faultProfile.faultKinds.has(kind))
  const isVulnerable = VULNERABLE_STATES.some((state) => world.openStates.includes(state))
  const multiplier = isVulnerable ? FAULT_MULTIPLIER : 1
  const port = call.port === 'database' ? 'database' : 'chain'
  const probability = Math.min(MOST_FAULTS[port], faultProfile[port] * multiplier)
  return possible.length > 0 && random.chance(probability) ? random.pick(possible) : null
}

// These states are short or rare, and faults during them do the most harm.
const VULNERABLE_STATES = [
  'deposit pending',
  'withdrawal signed',
  'withdrawal sent',
  'sweep signed',
  'tokens missing',
]
const FAULT_MULTIPLIER = 5
// With more faults no process gets through its start.
const MOST_FAULTS = { database: 0.06, chain: 0.15 }

export function startPlayerAction(world: SimulatedWorld, player: Player): void {
  const action: PlayerAction = world.random.weighted(PLAYER_ACTIONS)
  world.record(`${player.process.name} wants to ${action}`)
  void performAction(world, player, action)
}

/** Whether operators have more to do than to freeze wallets and to pause withdrawals, which stops everything for long. */
const hasWork = (world: SimulatedWorld): boolean =>
  (['approve', 'unfreeze', 'resume'] as const).some((action) => isUseful(world, action))

function startOperatorAction(world: SimulatedWorld, operator: Operator): void {
  const action = world.random.weighted(OPERATOR_ACTIONS.filter(({ value }) => isUseful(world, value)))
  world.record(`${operator.name} wants to ${action}`)
  void performOperatorAction(world, operator, action)
}

/** Somebody removes an operator from the signer's file, or names all again. */
function changeOperators(world: SimulatedWorld): void {
  const named = world.random.pick([['ana'], ['ben'], ['ana', 'ben'], ['ana', 'ben']] as const)
  world.operatorRecord.name(named)
  world.countFault('operators changed')
  world.record(`the operators are ${named.join(' and ')}`)
}

function moveNode(world: SimulatedWorld): void {
  const { random } = world
  const [name, node] = random.pick([...world.nodes])
  if (node.stuckAt !== null) node.stuckAt = null
  else node.lag = random.chance(0.5) ? 0 : randomLag(world)
  if (node.lag > 0) world.countFault('node behind')
  world.record(`${name} is ${node.lag} blocks behind`)
}

// With pooled nodes, a restarted process is connected to other machines than before.
function switchMachines(world: SimulatedWorld): void {
  if (!world.faultProfile.pooledNodes) return
  for (const node of world.nodes.values()) node.lag = randomLag(world)
  world.record('other machines answer')
}

const randomLag = ({ random, faultProfile }: SimulatedWorld): number =>
  random.between(1, faultProfile.pooledNodes ? 40 : 6)

function jumpClock(world: SimulatedWorld): void {
  const { random, clock } = world
  const size = random.pick([90_000, 3_600_000, DAY_MS])
  const ms = random.chance(0.6)
    ? random.between(1_000, size)
    : -random.between(1_000, Math.min(size, 7_200_000))
  clock.jump(ms)
  world.countFault(ms > 0 ? 'clock forward' : 'clock back')
  world.record(`the clock jumps by ${ms} ms`)
}

/** The operator moves all tokens from the hot treasury to cold storage, or back. */
export async function moveTreasury(world: SimulatedWorld, out: boolean): Promise<void> {
  const { mint, treasury, cold } = world.genesis
  const [from, to] = out ? [treasury, cold] : [cold, treasury]
  const source = await tokenAccountOf(mint, from.address)
  const token = readToken(accountAt(world.chain.tip, source) as never)
  const amount = token?.amount ?? 0n
  if (amount === 0n) return
  const transfer = getTransferCheckedInstruction({
    source,
    mint,
    destination: await tokenAccountOf(mint, to.address),
    authority: from,
    amount,
    decimals: 6,
  })
  const { wire } = await signWithBlockhash(from, world.chainLifetime(), [transfer])
  world.sendDirectly(wire)
  if (out) world.countFault('treasury drained')
  world.record(`the operator moves ${amount} ${out ? 'away' : 'back'}`)
}

/** A signer that starts after a restore needs hundreds of steps until it signs. */
const STEPS_BETWEEN_RESTORES = 600

// The worst case: the backup is taken before payouts are signed, and restored while they are in flight. What stops payouts
// is forgotten, too.
function restoreWeight(
  { faultProfile, openStates, steps }: SimulatedWorld,
  { taken, restoredAt }: Backup,
): number {
  if (!faultProfile.restores || steps < restoredAt + STEPS_BETWEEN_RESTORES) return 0
  const worst = taken
    ? ['withdrawal signed', 'withdrawal sent', 'wallet frozen', 'withdrawals paused', 'tokens missing']
    : ['withdrawal requested', 'withdrawal approved']
  return openStates.some((state) => worst.includes(state)) ? 4 : 0.5
}

// Requests and assigned addresses since the backup cannot be recovered from the chain, so the backup is restored only if
// no withdrawal was requested and no address assigned since.
const PROMISED = `select coalesce(string_agg(id::text, ',' order by id), '') || ' ' ||
  (select coalesce(string_agg(owner, ',' order by owner), '') from deposit_addresses where wallet is not null) as promised
  from withdrawals`

async function backUpOrRestore(world: SimulatedWorld, backup: Backup): Promise<void> {
  const { database } = world
  const [row] = await database.queryAsOwner<{ promised: string }>('world-promised', PROMISED)
  const promised = row!.promised
  if (!backup.taken || promised !== backup.withdrawals) {
    backup.taken = true
    backup.withdrawals = promised
    await database.backUp()
    world.record('a backup is taken')
    return
  }
  for (const slot of world.processSlots) await world.crash(slot)
  await database.restore()
  backup.taken = false
  backup.restoredAt = world.steps
  world.forgetHistory()
  world.countFault('backup restored')
  world.resendForgotten()
  world.record('the backup is restored')
}
