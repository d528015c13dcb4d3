import { formatExact } from '#game/cotton.ts'
import { isWithdrawalReason } from '#contract/withdrawal-reasons.ts'
import { dailyBudget } from '#game/credit.ts'
import { readBoundChain } from '#server/deposits/connect-bound-chain.ts'
import { type Address, ChainUnavailable } from '#server/chain/port.ts'
import { readWorldBalances } from '#server/ledger/read-world-balances.ts'
import { rowOf, sql, type Tx } from '#server/platform/db/db.ts'
import { readTogether } from '#server/platform/db/read-together.ts'
import { formatSol } from '#server/platform/format-sol.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { readSnapshot } from '#server/solvency/reserve-snapshot.ts'
import { REASON_FOR_OPERATORS } from '#server/withdrawals/reasons-for-operators.ts'
import { standingOf } from '#server/withdrawals/reserve-standing.ts'
import { readRewardDay } from '#server/withdrawals/reward-day.ts'
import { alarmMessage, readTreasuryState } from '#server/signer/sweeps/watch-treasury.ts'
import { readSignerState, type SignerStage } from '#server/signer/signer-state.ts'
import { readPause } from '#server/withdrawals/withdrawal-pause.ts'
import { type Command, type CommandContext, requireChain } from './command.ts'
import { describeUnowed } from './describe-unowed.ts'
import { readHoldings } from './top-up.ts'

// The signer returns what is cancelled, and does not try it again.
const POSTPONED = `state = 'approved' and cancelled_at is null and retry_at is not null`

const countOpen = sql({
  name: 'operator-count-open',
  row: rowOf<{
    state: string
    count: number
    amount: string
    oldest: Date
    postponed: number
    why: string | null
  }>(),
  text: `select state, count(*)::int as count, sum(deposited + earned) as amount, min(requested_at) as oldest,
     count(*) filter (where ${POSTPONED})::int as postponed,
     mode() within group (order by reasons[1]) filter (where ${POSTPONED}) as why
   from withdrawals where state not in ('finalized', 'refunded') group by state
   order by array_position(array['requested', 'review', 'approved', 'signed', 'sent'], state)`,
})

const countReceipts = sql({
  name: 'operator-count-receipts',
  row: rowOf<{ pending: number; coming: string; unclaimed: number }>(),
  text: `select count(*) filter (where state = 'pending')::int as pending,
     coalesce(sum(amount) filter (where state = 'pending' and asset = 'cotton'), 0)::text as coming,
     count(*) filter (where state = 'unclaimed')::int as unclaimed
   from receipts`,
})

const sumCredit = sql({
  name: 'operator-sum-credit',
  row: rowOf<{ deposited: string; earned: string }>(),
  text: `select coalesce(sum(balance) filter (where class = 'deposited'), 0)::text as deposited,
     coalesce(sum(balance) filter (where class = 'earned'), 0)::text as earned
   from accounts`,
})

const countWaitingActs = sql({
  name: 'operator-count-waiting-acts',
  row: rowOf<{ count: number; oldest: Date | null }>(),
  text: `select count(*)::int as count, min(at) as oldest from operator_acts where state = 'waiting'`,
})

type Line = readonly [name: string, value: string]

export const showStatus: Command = {
  usage: '',
  description: 'shows pauses, signer, waiting acts, open withdrawals, books, reserve and treasury',
  positionals: 0,
  options: [],
  async run(context) {
    const { db, clock, say } = context
    const lines = await readTogether(db, async (tx) => [
      ...(await switches(tx)),
      ...(await signer(tx, clock.now())),
      ...(await waitingActs(tx)),
      ...(await openWithdrawals(tx)),
      ...(await unowedPayouts(tx)),
      ...(await books(tx, clock.now())),
      ...(await deposits(tx)),
      ...(await reserve(tx, clock.now())),
      ...(await chain(tx)),
      ...(await treasuryWallet(tx)),
    ])
    lines.push(...(await onChain(context)))
    const width = Math.max(...lines.map(([name]) => name.length))
    for (const [name, value] of lines) say(`${name.padEnd(width)}  ${value}`)
  },
}

async function switches(tx: Tx): Promise<Line[]> {
  const pause = await readPause(tx)
  return [['withdrawals', pause ? `PAUSED since ${pause.since.toISOString()}: ${pause.why}` : 'not paused']]
}

const STAGES: Record<SignerStage, string> = {
  lanes: 'NOT READY: advancing the nonces of its lanes; nothing new is signed',
  history: 'NOT READY: comparing the treasury’s history with the books; nothing new is signed',
  ready: 'ready: the books were compared with the chain, new payouts may be signed',
}

async function signer(tx: Tx, now: Date): Promise<Line[]> {
  const state = await readSignerState(tx, now)
  if (!state) return [['signer', 'has never run on this database']]
  const { stage, startedAt, at, silent } = state
  if (silent) return [['signer', `NOT RUNNING: last seen at ${at.toISOString()}`]]
  return [['signer', `${STAGES[stage]} (started ${startedAt.toISOString()}, last seen ${at.toISOString()})`]]
}

async function waitingActs(tx: Tx): Promise<Line[]> {
  const [waiting] = await tx.rows(countWaitingActs)
  const { count, oldest } = waiting!
  if (oldest === null) return []
  return [['signed acts', `${count} not executed yet, the oldest signed at ${oldest.toISOString()}`]]
}

async function openWithdrawals(tx: Tx): Promise<Line[]> {
  const rows = await tx.rows(countOpen)
  if (rows.length === 0) return [['open', 'none']]
  return rows.flatMap(({ state, count, amount, oldest, postponed, why }): Line[] => [
    [
      `in state ${state}`,
      `${count}, ${formatExact(BigInt(amount))} $COTTON, oldest since ${oldest.toISOString()}`,
    ],
    ...(postponed > 0 ? [['of these postponed', `${postponed}, ${mostFrequent(why)}`] as const] : []),
  ])
}

async function unowedPayouts(tx: Tx): Promise<Line[]> {
  const unowed = await describeUnowed(tx)
  return unowed === null ? [] : [['payouts not owed', unowed]]
}

const mostFrequent = (why: string | null): string =>
  why !== null && isWithdrawalReason(why)
    ? `most frequent reason: ${REASON_FOR_OPERATORS[why]}`
    : 'see the list for the reasons'

async function books(tx: Tx, now: Date): Promise<Line[]> {
  const { treasury, pool, held } = await readWorldBalances(tx)
  const [credit] = await tx.rows(sumCredit)
  const { deposited, earned } = credit!
  const today = await readRewardDay(tx, now)
  const { budget, spent } = today ?? { budget: dailyBudget(pool), spent: 0n }
  return [
    ['treasury on the books', formatExact(treasury)],
    ['owed as deposited', formatExact(BigInt(deposited))],
    ['owed as held', formatExact(held)],
    ['pool behind rewards', formatExact(pool)],
    ['earned, not withdrawn', formatExact(BigInt(earned))],
    [
      'reward budget today',
      `${formatExact(spent)} of ${formatExact(budget)} used${today ? '' : ' (day not opened yet)'}`,
    ],
  ]
}

async function deposits(tx: Tx): Promise<Line[]> {
  const [count] = await tx.rows(countReceipts)
  const { pending, coming, unclaimed } = count!
  return [
    ['deposits pending', `${pending}, ${formatExact(BigInt(coming))} $COTTON`],
    ['receipts unclaimed', String(unclaimed)],
  ]
}

async function chain(tx: Tx): Promise<Line[]> {
  const boundChain = await readBoundChain(tx)
  if (!boundChain) return [['chain', 'none yet: the signer has never started on this database']]
  return [
    ['treasury address', boundChain.treasury],
    ['mint', boundChain.mint],
    ['genesis hash', boundChain.genesisHash],
  ]
}

async function reserve(tx: Tx, now: Date): Promise<Line[]> {
  const snapshot = await readSnapshot(tx)
  if (!snapshot) return [['reserve', 'NEVER CHECKED: the watcher has not checked it yet']]
  const { surplus, slot, at } = snapshot
  const since = `at slot ${slot}, ${at.toISOString()}`
  const standing = standingOf(snapshot, now)
  if (standing === 'unseen') return [['reserve', `UNCHECKED: the last check was ${since}`]]
  if (standing === 'short') return [['reserve', `TOKENS MISSING: ${formatExact(-surplus)} $COTTON, ${since}`]]
  if (standing === 'unconfirmed')
    return [['reserve', `UNCONFIRMED: the last check missed ${formatExact(-surplus)} $COTTON, ${since}`]]
  return [['reserve', `covers what is owed, with a surplus of ${formatExact(surplus)} $COTTON, ${since}`]]
}

// The status is shown even if the chain is unreachable.
async function onChain(context: CommandContext): Promise<Line[]> {
  try {
    const { chain: connected, boundChain } = await requireChain(context)
    const { tokens, lamports } = await readHoldings(connected, boundChain.treasury as Address)
    return [['treasury on the chain', `${formatExact(tokens)} $COTTON, ${formatSol(lamports)} SOL`]]
  } catch (error) {
    if (!(error instanceof StartupError) && !(error instanceof ChainUnavailable)) throw error
    return [['treasury on the chain', `unknown: ${error.message}`]]
  }
}

/** The last balances that the signer read from the treasury, and its alerts. */
async function treasuryWallet(tx: Tx): Promise<Line[]> {
  const seen = await readTreasuryState(tx)
  if (!seen) return []
  const tokens = `${formatExact(seen.tokens)} $COTTON`
  return [
    ['treasury wallet', `${tokens}, ${formatSol(seen.lamports)} SOL, read at ${seen.at.toISOString()}`],
    ...seen.alarms.map((alarm): Line => ['ALERT', alarmMessage(alarm)]),
  ]
}
