import { memoTexts } from '#server/chain/port.ts'
import { readToken } from '#server/chain/token-accounts.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { auditTotals } from '#server/solvency/audit-totals.ts'
import { accountAt, ancestorOf } from './forking-chain.ts'
import { Violation } from './laws.ts'
import { doDeed } from './players.ts'
import { moveTreasury } from './storm.ts'
import { tokensOf } from './transfers.ts'
import type { World } from './world.ts'

const CALM_ROUNDS = 100
const BLOCKS_IN_A_ROUND = 4

/** The storm is over: nothing fails any more, and all that is open has to end within a bounded time. */
export async function comeToRest(world: World): Promise<void> {
  world.calm = true
  world.clock.catchUp()
  for (const node of world.nodes.values()) {
    node.lag = 0
    node.stuckAt = null
  }
  world.tell('calm')
  // One of each is enough to bring all to its end.
  for (const slot of world.slots.filter((each) => each.name.endsWith('-2'))) await world.crash(slot)
  const needed = world.slots.filter((each) => !each.name.endsWith('-2'))
  for (let round = 0; round < CALM_ROUNDS; round++) {
    for (const slot of needed) if (slot.process === null) world.start(slot)
    await world.calls.settle()
    await moveTreasury(world, false)
    await calmRound(world)
    if (isAtRest(world)) {
      await world.look()
      if (isAtRest(world)) return
    }
  }
  throw new Violation('everything comes to its end', whatIsOpen(world).join('; '))
}

/** Everybody gets on until they all wait for a timer, then the chain grows and the timers ring. */
export async function calmRound(world: World): Promise<void> {
  for (;;) {
    const work = world.calls.waiting.find((call) => call.port !== 'pause' && call.ready())
    if (work === undefined) break
    world.steps++
    world.clock.pass(5)
    world.calls.take(work)
    world.tell(`${work.process.name} ${work.name}`)
    ;(await work.perform(null))()
    await world.calls.settle()
    if (world.database.changed) await world.look()
  }
  for (let blocks = 0; blocks < BLOCKS_IN_A_ROUND; blocks++) {
    world.clock.pass(500)
    world.grow()
  }
  const pauses = world.calls.waiting.filter((call) => call.port === 'pause')
  for (const pause of pauses) {
    world.calls.take(pause)
    ;(await pause.perform(null))()
    // One after the other: who of several asks first would hang on how long their ways are.
    await world.calls.settle()
  }
}

function whatIsOpen(world: World): string[] {
  const { books, intents, final } = world.laws
  const credited = new Set(books.credits.map((each) => each.signature))
  const strays = new Set(
    books.receipts.filter((each) => each.state === 'unclaimed').map((each) => each.signature),
  )
  const missing = [...intents].filter(
    ([signature]) => world.laws.due(signature) > 0n && !credited.has(signature),
  )
  const unseen = [...intents].filter(
    ([signature, { kind }]) =>
      (kind === 'SOL' || kind === 'another token') &&
      final.get(signature)?.error === null &&
      !strays.has(signature),
  )
  const swept = new Set(
    books.sweeps.filter((each) => each.state === 'finalized').map((each) => each.signature),
  )
  const forgotten = [...final].filter(
    ([signature, landed]) => isSweep(landed) && landed.error === null && !swept.has(signature),
  )
  return [
    ...world.laws.open.map((each) => `withdrawal ${each.id} is ${each.state} (${each.reason})`),
    ...forgotten.map(([signature]) => `sweep ${signature} is not booked`),
    ...missing.map(([signature, { kind }]) => `${kind} ${signature} is not credited`),
    ...unseen.map(([signature, { kind }]) => `${kind} ${signature} is not recorded`),
    ...books.receipts
      .filter((each) => each.state === 'pending')
      .map((each) => `${each.signature} is still pending`),
    ...world.players.filter((each) => each.busy).map((each) => `${each.process.name} is busy`),
    ...(world.chain.travelling.length > 0 ? ['transactions travel'] : []),
    ...(books.paused ? ['withdrawals are paused'] : []),
  ]
}

const isSweep = ({ memo }: { memo: string | null }): boolean =>
  memoTexts(memo).some((text) => text.startsWith('s:'))

function isAtRest(world: World): boolean {
  // What is in the newest blocks is not final yet.
  const unsettled = Array.from({ length: world.chain.givable }, (_, at) => ancestorOf(world.chain.tip, at))
  return unsettled.every((block) => block.landed.length === 0) && whatIsOpen(world).length === 0
}

/** The last word: every player harvests once more, and the whole of books and chain is held against each other. */
export async function settleAccounts(world: World): Promise<void> {
  for (const player of world.players) {
    void doDeed(world, player, 'claim')
    await world.calls.settle()
    while (player.busy) await calmRound(world)
  }
  const { laws, database } = world
  const rows = <Row>({ name, text }: { name: string; text: string }, values: readonly unknown[] = []) =>
    database.look<Row>(name, text, [...values])
  const findings = [...(await verifyLedger({ rows })), ...(await auditTotals({ rows }))]
  if (findings.length > 0) throw new Violation('the books agree with themselves', JSON.stringify(findings[0]))
  if (!world.restored)
    for (const id of world.told)
      if (!laws.books.withdrawals.some((each) => each.id === id))
        throw new Violation('T1 what was granted is kept', `withdrawal ${id} is gone`)
  await checkTokens(world)
  countWhatWasDone(world)
}

function countWhatWasDone({ laws, coverage, restored }: World): void {
  const { books, intents } = laws
  for (const { state } of books.withdrawals) coverage.count(`done: withdrawal ${state}`)
  for (const { signature } of books.credits)
    coverage.count(`done: credited ${intents.get(signature as never)?.kind}`)
  for (const { state, asset } of books.receipts) coverage.count(`done: receipt ${state} ${asset}`)
  for (const { state } of books.sweeps) coverage.count(`done: sweep ${state}`)
  for (const _ of books.claimed) coverage.count('done: claims of a player')
  if (restored) coverage.count('done: world from a backup')
}

async function checkTokens(world: World): Promise<void> {
  const { mint, treasury, cold } = world.first
  const tokensIn = async (owner: string): Promise<bigint> => {
    const account = accountAt(world.chain.tip, await tokensOf(mint, owner as typeof mint))
    return (account && readToken(account)?.amount) ?? 0n
  }
  type Row = { owner: string; sum: bigint }
  const owners = await world.database.look<Row>('world-owners', 'select owner from deposit_addresses')
  const [books] = await world.database.look<Row>(
    'world-treasury',
    `select -coalesce(sum(amount), 0)::bigint as sum from entries where account = 'treasury'`,
  )
  let held = 0n
  for (const owner of [treasury.address, cold.address, ...owners.map((row) => row.owner)])
    held += await tokensIn(owner)
  if (held !== books!.sum)
    throw new Violation(
      'the books say what the chain holds',
      `${books!.sum} in the books, ${held} on the chain`,
    )
}
