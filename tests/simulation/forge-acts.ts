import { type Act, actText, numberedBy } from '#contract/console/acts.ts'
import { toDecimal } from '#game/cotton.ts'
import type { Withdrawal } from './ledger-snapshot.ts'
import type { OPERATOR_NAMES } from './operator-record.ts'
import { readFreezeId, readPauseId } from './operators.ts'
import { signWithWallet } from './players.ts'
import { SITE } from './roles.ts'
import type { SimulatedWorld } from './simulated-world.ts'

/** What somebody writes who has the login of the database's owner, but no operator's wallet. */
export const FORGERIES = [
  'random signature',
  'removed operator',
  'operator without the right',
  'another amount',
  'another withdrawal',
  'another treasury',
  'expired',
  'one operator twice',
  'state only',
  'seal of another',
  'waiting act',
] as const

type Forgery = (typeof FORGERIES)[number]

const HOUR_MS = 60 * 60_000
const ANOTHER_ID = '00000000-0000-4000-8000-000000000000'

/** Writes forged decisions into the database, past the game. No transaction may be open. */
export async function forgeActs(world: SimulatedWorld): Promise<void> {
  const { random, invariants } = world
  const undecided = invariants.openWithdrawals.filter((each) => each.state === 'review' && !each.cancelled)
  // Whoever gets so far tries several ways to have one withdrawal paid.
  const kinds = random.shuffled(FORGERIES).slice(0, random.between(1, 3))
  const withdrawal = undecided.length === 0 ? undefined : random.pick(undecided)
  for (const kind of kinds) {
    if (kind === 'waiting act') await forgeWaitingAct(world, withdrawal)
    else if (withdrawal === undefined) continue
    else {
      await forgeApproval(world, withdrawal, kind)
      if (kind === 'state only' || random.chance(0.7)) await writeState(world, withdrawal)
    }
    world.countFault('forged act')
    world.coverage.count(`forged: ${kind}`)
    world.record(`somebody forges: ${kind}`)
  }
}

async function forgeApproval(world: SimulatedWorld, withdrawal: Withdrawal, kind: Forgery): Promise<void> {
  const { random } = world
  const { id, wallet } = withdrawal
  const amount = BigInt(withdrawal.amount)
  const act = approvalOf({ id, wallet, amount })
  switch (kind) {
    case 'random signature':
      return store(world, { act, withdrawalId: id, signature: Buffer.from(random.bytes(64)) })
    case 'removed operator':
      return store(world, { act, withdrawalId: id, by: 'eve' })
    case 'operator without the right':
      return store(world, { act, withdrawalId: id, by: 'vera' })
    case 'another amount':
      return store(world, { act: approvalOf({ id, wallet, amount: amount - 1n }), withdrawalId: id })
    case 'another withdrawal':
      return store(world, { act: approvalOf({ id: ANOTHER_ID, wallet, amount }), withdrawalId: id })
    case 'another treasury':
      return store(world, { act, withdrawalId: id, treasury: wallet })
    case 'expired':
      // A clock that is set back far enough makes it valid again, and an operator has signed it.
      return store(world, { act, withdrawalId: id, isGenuine: true, lifeMs: -HOUR_MS })
    case 'one operator twice':
      await store(world, { act, withdrawalId: id, isGenuine: true })
      return store(world, { act, withdrawalId: id, isGenuine: true })
    case 'seal of another':
      return world.database.writeAsOwner('forge-seal', COPY_SEAL, [id, Buffer.from(random.bytes(32))])
    case 'state only':
    case 'waiting act':
  }
}

const approvalOf = ({ id, wallet, amount }: { id: string; wallet: string; amount: bigint }): Act => ({
  kind: 'approve',
  withdrawalId: id,
  wallet,
  amount: toDecimal(amount),
})

/** An act of somebody who may not do it, stored as the console stores one. */
async function forgeWaitingAct(world: SimulatedWorld, withdrawal: Withdrawal | undefined): Promise<void> {
  const { random, invariants, players } = world
  const wallet = random.pick(players).wallet.address
  const reason = 'Forged'
  const frozen = invariants.ledger.frozen[0] ?? wallet
  // Whoever writes to the database reads what pauses and freezes now.
  const pauseId = (await readPauseId(world)) ?? ANOTHER_ID
  const freezeId = (await readFreezeId(world, frozen)) ?? ANOTHER_ID
  const acts: Act[] = [
    { kind: 'resume', pauseId, reason },
    { kind: 'unfreeze', freezeId, wallet: frozen, reason },
    { kind: 'adjust', creditClass: 'deposited', wallet, amount: '5', reason },
    { kind: 'fund', amount: '5', reason },
  ]
  if (withdrawal !== undefined) {
    const amount = toDecimal(BigInt(withdrawal.amount))
    acts.push({ kind: 'reject', withdrawalId: withdrawal.id, wallet: withdrawal.wallet, amount, reason })
  }
  const act = random.pick(acts)
  const withdrawalId = 'withdrawalId' in act ? act.withdrawalId : null
  const by = random.pick(['ana', 'eve', 'vera'] as const)
  const signature = by === 'ana' ? { signature: Buffer.from(random.bytes(64)) } : {}
  await store(world, { act, withdrawalId, by, isWaiting: true, ...signature })
}

type Stored = {
  act: Act
  withdrawalId: string | null
  by?: (typeof OPERATOR_NAMES)[number]
  treasury?: string
  lifeMs?: number
  /** In place of the operator's. */
  signature?: Buffer
  /** It counts once, until it expires: the operator has really signed this approval. */
  isGenuine?: boolean
  isWaiting?: boolean
}

async function store(world: SimulatedWorld, stored: Stored): Promise<void> {
  const { operatorRecord, random, clock, genesis } = world
  const { act, withdrawalId, by = 'ana', lifeMs = HOUR_MS } = stored
  const key = operatorRecord.keyOf(by)
  const nonce = Buffer.from(random.bytes(16)).toString('hex')
  const expiresAt = new Date(clock.now().getTime() + lifeMs)
  const place = {
    product: SITE.product,
    host: SITE.host,
    treasury: stored.treasury ?? genesis.treasury.address,
  }
  // No numbered act is ever done in this world, so the first number is always the next.
  const number = numberedBy(act) === null ? null : 1
  const { message } = actText(act, place, { operator: key.address, nonce, expiresAt, number })
  const signature = stored.signature ?? signWithWallet(key, Buffer.from(message))
  if (stored.isWaiting) operatorRecord.forged.add(nonce)
  if (stored.isGenuine && act.kind === 'approve')
    operatorRecord.recordApproval(act, { operator: key.address, nonce, expiresAt })
  const { kind } = act
  const values = [nonce, kind, withdrawalId, act, key.address, signature, clock.now(), expiresAt, number]
  await (stored.isWaiting
    ? world.database.writeAsOwner('forge-waiting', INSERT_WAITING, values)
    : world.database.writeAsOwner('forge-done', INSERT_DONE, values))
}

const COLUMNS =
  'nonce, kind, withdrawal_id, details, operator, signature, signed_form, at, expires_at, number'

const INSERT_WAITING = `insert into operator_acts (${COLUMNS})
  values ($1, $2, $3, $4, $5, $6, 'raw', $7, $8, $9)`

const INSERT_DONE = `insert into operator_acts (${COLUMNS}, state, outcome, done_at)
  values ($1, $2, $3, $4, $5, $6, 'raw', $7, $8, $9, 'done', 'Approved', $7)`

const COPY_SEAL = `update withdrawals set verdict_mac = coalesce(
    (select o.verdict_mac from withdrawals o where o.verdict_mac is not null and o.id <> $1 order by o.id limit 1), $2)
  where id = $1`

const SET_APPROVED = `update withdrawals set state = 'approved' where id = $1 and state = 'review'`

const writeState = ({ database }: SimulatedWorld, { id }: Withdrawal): Promise<void> =>
  database.writeAsOwner('forge-state', SET_APPROVED, [id])
