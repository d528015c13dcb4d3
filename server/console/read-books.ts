import { MOST_RESTORED, type readBooks as route } from '#contract/console/books.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { baseUnits } from '#game/cotton.ts'
import { dailyBudget } from '#game/credit.ts'
import { readBoundChain } from '#server/deposits/connect-bound-chain.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { formatSol } from '#server/platform/format-sol.ts'
import { UNOWED_SETTING } from '#server/signer/acts/restored-payouts.ts'
import { alarmMessage, readTreasuryState, type TreasuryState } from '#server/signer/sweeps/watch-treasury.ts'
import { owedBy, tokensOf } from '#server/solvency/compare-reserve.ts'
import { readCreditSupply } from '#server/solvency/read-credit-supply.ts'
import { readSnapshot, type ReserveSnapshot } from '#server/solvency/reserve-snapshot.ts'
import { standingOf } from '#server/withdrawals/reserve-standing.ts'
import { dayAfter, readRewardDay } from '#server/withdrawals/reward-day.ts'
import { exact, instant } from './exact.ts'

type Books = ConsoleReply<typeof route>

type Restored = { signature: string; wallet: string | null; amount: bigint; debt: bigint; isTaken: boolean }

// What restored backups had forgotten and nobody has settled. The signer reports such a payout. Once it is taken back from
// the balance, only the debt is left.
const readRestored = sql({
  name: 'console-read-restored',
  params: { reported: 'text' },
  row: rowOf<Restored>(),
  text: ({ reported }) =>
    `select signature, wallet, amount, amount - deposited - earned - borne as debt, true as "isTaken" from restored_payouts
     where acknowledged_by is null and amount > deposited + earned + borne
     union all
     select substr(s.name, length(${reported}) + 1), s.value ->> 'wallet', (s.value ->> 'amount')::bigint,
       (s.value ->> 'amount')::bigint, false
     from settings s
     where s.name like ${reported} || '%' and jsonb_typeof(s.value) = 'object'
       and not exists (select from restored_payouts r where r.signature = substr(s.name, length(${reported}) + 1))
     order by 1 limit ${MOST_RESTORED}`,
})

// The signer executes an act that takes back all of them, or none.
const sumUntaken = sql({
  name: 'console-sum-untaken',
  params: { reported: 'text' },
  row: rowOf<{ payouts: number; amount: bigint }>(),
  text: ({ reported }) =>
    `select count(*)::integer as payouts, coalesce(sum((s.value ->> 'amount')::bigint), 0)::bigint as amount
     from settings s where s.name like ${reported} || '%' and jsonb_typeof(s.value) = 'object'
       and not exists (select from restored_payouts r where r.signature = substr(s.name, length(${reported}) + 1))`,
})

/** What the game owes and has. The caller reads it in one transaction, so that the numbers fit together. */
export async function readBooks(db: Queryable, now: Date): Promise<Books> {
  const [supply, snapshot, treasury, chain, day, restored, [untaken]] = await Promise.all([
    readCreditSupply(db),
    readSnapshot(db),
    readTreasuryState(db),
    readBoundChain(db),
    readRewardDay(db, now),
    db.rows(readRestored, { reported: UNOWED_SETTING }),
    db.rows(sumUntaken, { reported: UNOWED_SETTING }),
  ])
  const budget = day?.budget ?? dailyBudget(baseUnits(supply.pool))
  const used = day?.spent ?? 0n
  const missing = treasury ? supply.held - treasury.tokens : 0n
  return {
    supply: {
      deposited: exact(supply.deposited),
      earned: exact(supply.earned),
      pool: exact(supply.pool),
      held: exact(supply.held),
    },
    flows: { emitted: exact(supply.emitted), burned: exact(supply.burned), spent: exact(supply.spent) },
    reserve: snapshot && toReserve(snapshot, now),
    budget: {
      total: exact(budget),
      used: exact(used),
      left: exact(budget - used),
      resetsAt: instant(dayAfter(now)),
    },
    treasury: treasury && toTreasury(treasury, chain?.mint ?? ''),
    topUp: { owed: exact(supply.held), missing: exact(missing > 0n ? missing : 0n) },
    restored: restored.map(({ signature, wallet, amount, debt, isTaken }) => ({
      signature,
      wallet: wallet ?? '',
      amount: exact(amount),
      open: exact(debt),
      isTaken,
    })),
    takeBack: { payouts: untaken?.payouts ?? 0, amount: exact(untaken?.amount ?? 0n) },
  }
}

function toReserve(snapshot: ReserveSnapshot, now: Date): Books['reserve'] {
  const { at, slot, treasury, cold, depositAccounts, inFlight } = snapshot
  return {
    standing: standingOf(snapshot, now),
    at: instant(at),
    slot: Number(slot),
    treasury: exact(treasury),
    cold: exact(cold),
    coldWallets: [...snapshot.coldWallets],
    depositAccounts: exact(depositAccounts),
    inFlight: exact(inFlight),
    tokens: exact(tokensOf(snapshot)),
    owed: exact(owedBy(snapshot)),
    surplus: exact(snapshot.surplus),
  }
}

const toTreasury = (
  { address, tokens, lamports, at, alarms }: TreasuryState,
  mint: string,
): Books['treasury'] => ({
  address,
  mint,
  tokens: exact(tokens),
  sol: formatSol(lamports),
  at: instant(at),
  alarms: alarms.map(alarmMessage),
})
