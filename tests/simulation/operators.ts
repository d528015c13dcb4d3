import type { KeyPairSigner } from '@solana/kit'
import type { Act } from '#contract/console/acts.ts'
import { FAILED_CHECKS } from '#server/signer/review/failed-check.ts'
import { toDecimal } from '#game/cotton.ts'
import type { Db } from '#server/platform/db/db.ts'
import { MAX_APPROVALS } from '#server/operators/operator-acts.ts'
import { readOperators } from '#server/operators/read-operators.ts'
import type { Withdrawal } from './ledger-snapshot.ts'
import { signWithWallet } from './players.ts'
import { processContext, type SimulatedProcess, startProcess } from './process.ts'
import { SITE } from './roles.ts'
import { trackWork } from './replace-globals.ts'
import type { SimulatedWorld } from './simulated-world.ts'

/** An operator with a wallet, at the console. Does one thing at a time. */
export type Operator = {
  name: string
  process: SimulatedProcess
  wallet: KeyPairSigner
  /** The console's database, with its login. */
  db: Db
  busy: boolean
}

/** The actions of operators, with their weights. */
export const OPERATOR_ACTIONS = [
  { weight: 8, value: 'approve' },
  { weight: 2, value: 'reject' },
  { weight: 0.5, value: 'freeze' },
  { weight: 3, value: 'unfreeze' },
  { weight: 0.2, value: 'pause' },
  { weight: 5, value: 'resume' },
] as const

export type OperatorAction = (typeof OPERATOR_ACTIONS)[number]['value']

/** Whether there is something to do with this action. */
export function isUseful(world: SimulatedWorld, action: OperatorAction): boolean {
  const { frozen, paused } = world.invariants.ledger
  if (action === 'approve' || action === 'reject') return listUndecided(world).length > 0
  if (action === 'unfreeze') return frozen.length > 0
  return action === 'resume' ? paused : action === 'freeze' || !paused
}

const MAX_TRIES = 6
/** The reason of every act. Players read it. */
export const ACT_REASON = 'Simulated'

export function createOperators(world: SimulatedWorld): Operator[] {
  return (['ana', 'ben'] as const).map((name) => {
    const process = startProcess(world, name, 'operator')
    const url = world.database.urlFor('console')
    const db = processContext.run(process, () =>
      world.product.openDb(url, { max: 1, applicationName: 'console' }),
    )
    return { name, process, wallet: world.operatorRecord.keyOf(name), db, busy: false }
  })
}

/** Performs an action of an operator. It ends whatever fails. */
export async function performOperatorAction(
  world: SimulatedWorld,
  operator: Operator,
  action: OperatorAction,
): Promise<void> {
  await run(world, operator, action, ACTION_HANDLERS[action])
}

type Handler = (world: SimulatedWorld, operator: Operator) => Promise<string | null>

/** A handler returns why it did nothing, or null. */
async function run(world: SimulatedWorld, operator: Operator, what: string, handle: Handler): Promise<void> {
  operator.busy = true
  try {
    const refusal = await processContext.run(operator.process, () => handle(world, operator))
    world.coverage.count(`${refusal === null ? 'action' : 'refused'}: ${what}`)
    if (refusal !== null) world.record(`${operator.name} does not ${what}: ${refusal}`)
  } finally {
    operator.busy = false
  }
}

const ACTION_HANDLERS: Record<OperatorAction, Handler> = {
  approve: (world, operator) => decide(world, operator, world.random.pick(listUndecided(world)), 'approve'),
  reject: (world, operator) => decide(world, operator, world.random.pick(listUndecided(world)), 'reject'),
  freeze(world, operator) {
    const wallet = world.random.pick(listSuspects(world))
    world.countFault('freeze')
    return attempt(world, operator, () =>
      world.product.freeze(operator.db, { ...loggedIn(world, operator), wallet, reason: ACT_REASON }),
    )
  },
  unfreeze: (world, operator) => unfreeze(world, operator, world.random.pick(world.invariants.ledger.frozen)),
  pause(world, operator) {
    world.countFault('withdrawals paused')
    return attempt(world, operator, () =>
      world.product.pause(operator.db, { ...loggedIn(world, operator), reason: ACT_REASON }),
    )
  },
  resume,
}

async function unfreeze(world: SimulatedWorld, operator: Operator, wallet: string): Promise<string | null> {
  const freezeId = await readFreezeId(world, wallet)
  if (freezeId === null) return 'the wallet is not frozen'
  return sign(world, operator, { kind: 'unfreeze', freezeId, wallet, reason: ACT_REASON })
}

async function resume(world: SimulatedWorld, operator: Operator): Promise<string | null> {
  const pauseId = await readPauseId(world)
  if (pauseId === null) return 'withdrawals are not paused'
  return sign(world, operator, { kind: 'resume', pauseId, reason: ACT_REASON })
}

/** An operator as the console knows one who has logged in. */
const loggedIn = ({ clock }: SimulatedWorld, { name, wallet }: Operator) => ({
  operator: { wallet: wallet.address, name, rights: new Set(['decide'] as const) },
  now: clock.now(),
})

/** The wallets that wait for a payout: freezing these stops something. Without any, all wallets. */
function listSuspects({ invariants, players }: SimulatedWorld): string[] {
  const waiting = invariants.openWithdrawals.filter(
    ({ state }) => state === 'requested' || state === 'approved',
  )
  return waiting.length > 0
    ? waiting.map(({ wallet }) => wallet)
    : players.map(({ wallet }) => wallet.address)
}

const listUndecided = ({ invariants }: SimulatedWorld): Withdrawal[] =>
  invariants.openWithdrawals.filter((each) => each.state === 'review' && !each.cancelled)

function decide(
  world: SimulatedWorld,
  operator: Operator,
  { id, wallet, amount }: Withdrawal,
  kind: 'approve' | 'reject',
): Promise<string | null> {
  const of = { withdrawalId: id, wallet, amount: toDecimal(BigInt(amount)) }
  return sign(world, operator, kind === 'approve' ? { kind, ...of } : { kind, ...of, reason: ACT_REASON })
}

/** Signs an act with the operator's wallet and submits it as the console does. */
async function sign(world: SimulatedWorld, operator: Operator, act: Act): Promise<string | null> {
  const { product, operatorRecord, clock, genesis } = world
  const { address } = operator.wallet
  const operators = readOperators(operatorRecord.file)
  const context = { site: SITE, treasury: genesis.treasury.address, operators }
  const now = clock.now()
  // None of the acts of this world is numbered.
  const preparing = { operator: address, number: null, now }
  const { toSign, nonce, expiresAt } = product.prepareAct(context, act, preparing)
  const { message } = toSign
  const signature = signWithWallet(operator.wallet, Buffer.from(message)).toString('base64')
  if (act.kind === 'approve') operatorRecord.recordApproval(act, { operator: address, nonce, expiresAt })
  return attempt(world, operator, () =>
    product.submitAct(operator.db, context, { act, operator: address, message, signature, now }),
  )
}

/** Repeats a request to the console while the database fails. Returns why it was refused, or null. */
async function attempt(
  world: SimulatedWorld,
  { process }: Operator,
  request: () => Promise<{ problem: string | null } | { outcome: string }>,
): Promise<string | null> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      const answer = await request()
      return 'problem' in answer ? answer.problem : null
    } catch (error) {
      if ((error as Error).name === 'ConsoleRefused') return 'the console refuses it'
      world.record(`${process.name} got no answer: ${(error as Error).message}`)
    }
    await world.pause(process, 'retry')
  }
  return 'gave up'
}

const FAILED: readonly string[] = FAILED_CHECKS

/** Lets the operators decide whatever waits for them, each of them once. Nobody is frozen and nothing is paused then. */
export async function decideEverything(world: SimulatedWorld): Promise<void> {
  const { ledger } = world.invariants
  for (const operator of world.operators) {
    if (operator.busy) continue
    const [first] = world.operators
    void run(world, operator, 'decide everything', async () => {
      for (const withdrawal of await listUnapproved(world, operator)) {
        const hasFailed = withdrawal.reasons.some((reason) => FAILED.includes(reason))
        await decide(world, operator, withdrawal, hasFailed ? 'reject' : 'approve')
      }
      if (operator !== first) return null
      for (const wallet of ledger.frozen) await unfreeze(world, operator, wallet)
      if (ledger.paused && ledger.reserve?.confirmed !== true) await resume(world, operator)
      return null
    })
    await world.calls.waitUntilIdle()
  }
}

/** What pauses withdrawals now, or null, as the page that an operator has just opened says. */
export const readPauseId = (world: SimulatedWorld): Promise<string | null> =>
  readId(
    world,
    'world-pause-id',
    `select value ->> 'id' as id from settings where name = $1`,
    'withdrawals_paused',
  )

/** The freeze of a wallet now, or null. */
export const readFreezeId = (world: SimulatedWorld, wallet: string): Promise<string | null> =>
  readId(world, 'world-freeze-id', 'select id::text from frozen_wallets where wallet = $1', wallet)

async function readId(
  { database }: SimulatedWorld,
  name: string,
  text: string,
  of: string,
): Promise<string | null> {
  // No call of a process: without this the world would not wait for it.
  const [row] = await trackWork(database.queryAsOwner<{ id: string }>(name, text, [of]))
  return row?.id ?? null
}

const READ_VALID = `select nonce from (
    select nonce, operator,
      row_number() over (partition by withdrawal_id order by at > $2, at desc, nonce desc) as place
    from operator_acts where kind = 'approve' and state <> 'refused' and expires_at > $2
  ) approvals where operator = $1 and place <= ${MAX_APPROVALS}`

/**
 * What waits for this operator, whatever was forged. An approval that forged ones have displaced is no longer on the page, so
 * the operator signs again. What is frozen is reviewed again by itself once it is not.
 */
async function listUnapproved(world: SimulatedWorld, { wallet }: Operator): Promise<Withdrawal[]> {
  const values = [wallet.address, world.clock.now()]
  // No call of a process: without this the world would not wait for it.
  const rows = await trackWork(
    world.database.queryAsOwner<{ nonce: string }>('world-valid-acts', READ_VALID, values),
  )
  const valid = new Set(rows.map((row) => row.nonce))
  const signed = world.operatorRecord.approvals.filter((each) => valid.has(each.nonce))
  const approved = new Set(signed.map((each) => each.id))
  return listUndecided(world).filter(({ id, reasons }) => !approved.has(id) && reasons.join() !== 'frozen')
}
