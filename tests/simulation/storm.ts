import { signWithBlockhash } from '#server/chain/transactions.ts'
import { readToken } from '#server/chain/token-accounts.ts'
import { getTransferCheckedInstruction } from '@solana-program/token'
import { accountAt } from './forking-chain.ts'
import { type Deed, DEEDS, doDeed, type Player } from './players.ts'
import type { Delivery, PortCall } from './port-calls.ts'
import { tokensOf } from './transfers.ts'
import type { World } from './world.ts'

const DAY_MS = 24 * 60 * 60_000

/** Faults and deeds at random, until so many steps are done. */
export async function storm(world: World): Promise<void> {
  const backup = { taken: false, withdrawals: '' }
  while (world.steps < world.weather.steps) {
    world.steps++
    world.clock.pass(world.random.between(50, 2_000))
    await stormStep(world, backup)
    await world.calls.settle()
    if (world.database.changed) await world.look()
  }
}

type Backup = { taken: boolean; withdrawals: string }

async function stormStep(world: World, backup: Backup): Promise<void> {
  const { random, weather, database } = world
  const ready = world.calls.waiting.filter((call) => call.ready())
  const work = ready.filter((call) => call.port !== 'pause')
  const pauses = ready.filter((call) => call.port === 'pause')
  const idle = world.players.filter((player) => !player.busy)
  const down = world.slots.filter((slot) => slot.process === null)
  const can = (weight: number, possible: boolean): number => (possible ? weight : 0)
  const step = random.weighted<() => Promise<void> | void>([
    { weight: can(70, work.length > 0), value: () => goOn(world, random.weighted(work.map(urgency))) },
    { weight: can(9, pauses.length > 0), value: () => goOn(world, random.weighted(pauses.map(urgency))) },
    { weight: 9, value: () => world.grow() },
    { weight: can(3, idle.length > 0), value: () => begin(world, random.one(idle)) },
    { weight: can(5, down.length > 0), value: () => world.start(random.one(down)) },
    { weight: weather.forks, value: () => world.fork() },
    { weight: weather.nodes, value: () => moveNode(world) },
    { weight: weather.echoes, value: () => world.echo() },
    { weight: weather.jumps, value: () => jump(world) },
    { weight: weather.drains, value: () => moveTreasury(world, random.chance(0.5)) },
    {
      weight: can(restoring(world, backup), database.holder === null),
      value: () => backUpOrRestore(world, backup),
    },
  ])
  await step()
}

// Watchers look again and again, at much at once; what the signer does is worth more of the time.
const URGENCY = { watcher: 1, api: 4, player: 4, signer: 8 }

const urgency = (call: PortCall) => ({ weight: URGENCY[call.process.role], value: call })

/** Lets one call go on: rightly, with a fault, or as the last thing that its process does. */
async function goOn(world: World, call: PortCall): Promise<void> {
  const { random, weather } = world
  world.calls.take(call)
  const name = `${call.process.name} ${call.name}`
  const slot = world.slots.find((each) => each.process === call.process)
  if (slot !== undefined && random.chance(weather.crash[call.process.role])) {
    const after = random.chance(0.5)
    if (after) await call.perform(null)
    world.coverage.count(`crash: ${slot.role} ${call.name} ${after ? 'after' : 'before'}`)
    world.met('crash')
    world.tell(`${name}: dies ${after ? 'after' : 'before'} it`)
    await world.crash(slot)
    return meetOthers(world)
  }
  const fault = faultFor(world, call)
  if (fault !== null) {
    world.met(fault)
    world.coverage.count(`at: ${fault} at ${call.process.role} ${call.name}`)
  }
  world.tell(fault === null ? name : `${name}: ${fault}`)
  const deliver: Delivery = await call.perform(fault)
  deliver()
}

function faultFor(world: World, call: PortCall): string | null {
  const { random, weather } = world
  if (call.faults.includes('lie') && random.chance(weather.liar)) return 'lie'
  if (weather.kinds.has('short page') && call.faults.includes('short page') && random.chance(0.1))
    return 'short page'
  if (weather.deaf && call.name === 'sendTransaction' && random.chance(0.7)) return 'answer lost'
  if (weather.slow && call.name === 'sendTransaction' && random.chance(0.5)) return 'lands late'
  if (weather.restores && !world.restored && call.name === 'sendTransaction' && random.chance(0.4))
    return 'send dropped'
  const astray = ['send dropped', 'send doubled'].filter((kind) => weather.kinds.has(kind))
  if (call.name === 'sendTransaction' && astray.length > 0 && random.chance(0.2)) return random.one(astray)
  const possible = call.faults.filter((kind) => weather.kinds.has(kind))
  const likely = call.port === 'database' ? weather.database : weather.chain
  const often = AT_STAKE.some((state) => world.underWay.includes(state)) ? OFTEN : 1
  return possible.length > 0 && random.chance(likely * often) ? random.one(possible) : null
}

// These pass quickly, and what goes wrong meanwhile harms most.
const AT_STAKE = ['deposit pending', 'withdrawal signed', 'withdrawal sent', 'sweep signed']
const OFTEN = 5

export function begin(world: World, player: Player): void {
  const deed: Deed = world.random.weighted(DEEDS)
  world.tell(`${player.process.name} wants to ${deed}`)
  void doDeed(world, player, deed)
}

function moveNode(world: World): void {
  const { random } = world
  const [name, node] = random.one([...world.nodes])
  if (node.stuckAt !== null) node.stuckAt = null
  else node.lag = random.chance(0.5) ? 0 : howFarBehind(world)
  if (node.lag > 0) world.met('node behind')
  world.tell(`${name} is ${node.lag} blocks behind`)
}

// Where several machines stand behind a name, who comes up again is led to others than before.
function meetOthers(world: World): void {
  if (!world.weather.pooled) return
  for (const node of world.nodes.values()) node.lag = howFarBehind(world)
  world.tell('other machines answer')
}

const howFarBehind = ({ random, weather }: World): number => random.between(1, weather.pooled ? 40 : 6)

function jump(world: World): void {
  const { random, clock } = world
  const size = random.one([90_000, 3_600_000, DAY_MS])
  const ms = random.chance(0.6)
    ? random.between(1_000, size)
    : -random.between(1_000, Math.min(size, 7_200_000))
  clock.jump(ms)
  world.met(ms > 0 ? 'clock forward' : 'clock back')
  world.tell(`the clock jumps by ${ms} ms`)
}

/** The operator takes tokens out of the hot treasury, or brings all of them back. */
export async function moveTreasury(world: World, out: boolean): Promise<void> {
  const { mint, treasury, cold } = world.first
  const [from, to] = out ? [treasury, cold] : [cold, treasury]
  const source = await tokensOf(mint, from.address)
  const token = readToken(accountAt(world.chain.tip, source) as never)
  const amount = token?.amount ?? 0n
  if (amount === 0n) return
  const transfer = getTransferCheckedInstruction({
    source,
    mint,
    destination: await tokensOf(mint, to.address),
    authority: from,
    amount,
    decimals: 6,
  })
  const { wire } = await signWithBlockhash(from, world.chainLifetime(), [transfer])
  world.sendOutside(wire)
  if (out) world.met('treasury drained')
  world.tell(`the operator moves ${amount} ${out ? 'away' : 'back'}`)
}

// Most is at stake when a backup was made before payouts were signed that are on their way when it comes back.
function restoring({ weather, underWay }: World, { taken }: Backup): number {
  if (!weather.restores) return 0
  const worst = taken
    ? ['withdrawal signed', 'withdrawal sent']
    : ['withdrawal requested', 'withdrawal approved']
  return underWay.some((state) => worst.includes(state)) ? 4 : 0.5
}

// What players were promised since the backup cannot be had back from the chain, so a backup is restored only where
// nobody has asked for a withdrawal or taken an address since.
const PROMISED = `select coalesce(string_agg(id::text, ',' order by id), '') || ' ' ||
  (select coalesce(string_agg(owner, ',' order by owner), '') from deposit_addresses where wallet is not null) as promised
  from withdrawals`

async function backUpOrRestore(world: World, backup: Backup): Promise<void> {
  const { database } = world
  const [row] = await database.look<{ promised: string }>('world-promised', PROMISED)
  const promised = row!.promised
  if (!backup.taken || promised !== backup.withdrawals) {
    backup.taken = true
    backup.withdrawals = promised
    await database.backUp()
    world.tell('a backup is taken')
    return
  }
  for (const slot of world.slots) await world.crash(slot)
  await database.restore()
  database.changed = true
  world.restored = true
  world.met('backup restored')
  world.forgottenComesLate()
  world.tell('the backup is restored')
}
