import { setTimeout as sleep } from 'node:timers/promises'
import { formatExact } from '#game/cotton.ts'
import type { Address, Chain, Signature } from '#server/chain/port.ts'
import type { Finding } from '#server/ledger/verify-ledger.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { coldAccounts, takeSnapshot } from '#server/solvency/take-snapshot.ts'

/** How many accounts a node reads in one call, and how many the database reads at once. */
const PAGE = 100
const GROUP = 1_000

/** Differences may be movements in progress. The audit repeats so often, with this delay, before it reports them. */
const MAX_ATTEMPTS = 6
const RETRY_DELAY_MS = 2_000

/** So many of the newest payouts are verified one by one on the chain, older ones by their sum. `reconcile` compares all. */
const MAX_PAYOUTS = 1_000

const readIndexes = sql({
  name: 'audit-read-indexes',
  row: rowOf<{ index: number }>(),
  text: 'select index from deposit_addresses order by index',
})

// An account also holds recorded tokens that are not credited, and a sweep takes the whole balance. No index finds receipts that
// are not credited by their account: they are read once for all of these addresses, and not for each. What is not credited may
// exceed a bigint.
const readAddresses = sql({
  name: 'audit-read-addresses',
  params: { indexes: 'integer[]' },
  row: rowOf<DepositAccount<string>>(),
  text: ({ indexes }) => `select a.index, a.owner, a.token_account as "tokenAccount", a.wallet,
     coalesce((select sum(r.amount) from receipts r
       where r.token_account = a.token_account and r.asset = 'cotton' and r.state = 'credited'), 0)::text as credited,
     coalesce(u.unclaimed, 0)::text as unclaimed, coalesce(u.pending, 0)::text as pending,
     coalesce((select sum(s.amount) from sweeps s
       where s.token_account = a.token_account and s.state = 'finalized'), 0)::text as swept,
     coalesce((select sum(s.amount) from sweeps s
       where s.token_account = a.token_account and s.state = 'signed'), 0)::text as moving
   from deposit_addresses a left join (
     select token_account, sum(amount) filter (where state = 'unclaimed') as unclaimed,
       sum(amount) filter (where state = 'pending') as pending
     from receipts where asset = 'cotton' and state in ('pending', 'unclaimed') group by token_account
   ) u on u.token_account = a.token_account
   where a.index = any(${indexes}) order by a.index`,
})

// What was swept and credited to nobody is a surplus: like tokens that were sent to the treasury, it may have been funded or
// sent back. Deposits that are credited later, and wait in the account, make it no smaller. What was ever swept or paid may
// exceed a bigint.
const readTreasury = sql({
  name: 'audit-read-treasury',
  row: rowOf<Booked>(),
  text: `select
     coalesce((select sum(case when swept > credited then greatest(swept - unclaimed, 0) else swept end)
       from token_account_totals), 0)::text as swept,
     coalesce((select sum(amount) from sweeps where state = 'signed'), 0)::bigint as coming,
     coalesce((select sum(e.amount) from journals j join entries e on e.wallet = j.wallet and e.journal_id = j.id
       where j.kind = 'funding' and e.account = 'pool'), 0)::bigint as funded,
     (coalesce((select sum(deposited + earned) from withdrawals where state = 'finalized'), 0)
       + coalesce((select sum(deposited + earned + borne) from restored_payouts), 0))::text as paid,
     coalesce((select sum(deposited + earned) from withdrawals where state in ('signed', 'sent')), 0)::bigint as leaving`,
})

const readPaid = sql({
  name: 'audit-read-paid',
  params: { limit: 'integer' },
  row: rowOf<{ id: string; signature: Signature | null }>(),
  text: ({ limit }) =>
    `select w.id::text, coalesce(w.paid_by, p.signature) as signature from withdrawals w
     left join payouts p on p.withdrawal_id = w.id where w.state = 'finalized' order by w.settled_at desc limit ${limit}`,
})

type DepositAccount<Amount = bigint> = {
  index: number
  owner: string
  tokenAccount: Address
  wallet: string | null
  credited: Amount
  unclaimed: Amount
  pending: Amount
  swept: Amount
  moving: Amount
}

const toAccount = (row: DepositAccount<string>): DepositAccount => ({
  ...row,
  credited: BigInt(row.credited),
  unclaimed: BigInt(row.unclaimed),
  pending: BigInt(row.pending),
  swept: BigInt(row.swept),
  moving: BigInt(row.moving),
})

export type ChainAudit = {
  findings: Finding[]
  /** Tokens in the treasury that are not owed, which `fund` may add to the pool. */
  free: bigint
}

type AuditDeps = { db: Db; chain: Chain; now: Date; wait?: (ms: number) => Promise<unknown> }

/**
 * Compares the chain with the books. Every deposit account holds what was received and not swept; the treasury and cold
 * storage hold what was swept and funded minus what was paid; the newest payouts are final; and all tokens together cover
 * what is owed. Differences are checked again for some seconds, so that a running game has no findings. Rejects with
 * `ChainUnavailable`.
 */
export async function auditChain(
  { db, chain, now, wait = sleep }: AuditDeps,
  { treasury, cold }: { treasury: string; cold: readonly string[] },
): Promise<ChainAudit> {
  let indexes = (await db.rows(readIndexes)).map(({ index }) => index)
  for (let attempt = 1; ; attempt++) {
    const snapshot = await takeSnapshot({ db, chain }, { treasury, cold, notBefore: 0n, now })
    const { surplus, free, slot } = snapshot
    const differing = await findDiffering({ db, chain }, indexes)
    const findings = [
      ...shortage(surplus, slot),
      ...snapshot.impossible.map(impossibleAccount),
      ...differing.map(({ finding }) => finding),
      ...(await auditTreasury({ db, chain, cold, treasury: treasury as Address })),
      ...(await auditPaid({ db, chain })),
    ]
    if (findings.length === 0 || attempt === MAX_ATTEMPTS) return { findings, free }
    // Only these are read again. While all of very many accounts are read, some always move.
    indexes = differing.map(({ index }) => index)
    await wait(RETRY_DELAY_MS)
  }
}

function shortage(surplus: bigint, slot: bigint): Finding[] {
  if (surplus >= 0n) return []
  const found = `${formatExact(-surplus)} $COTTON missing`
  return [{ law: 'tokens on the chain cover what is owed', what: `slot ${slot}`, found }]
}

const impossibleAccount = (account: string): Finding => ({
  law: 'tokens on the chain cover what is owed',
  what: `a receipt for the token account ${account}`,
  found: 'this is no address',
})

type Differing = { index: number; finding: Finding }

/**
 * The accounts of these addresses that do not hold what was received and not swept. The books of each are read shortly before
 * the chain, because they change while very many accounts are read.
 */
async function findDiffering(
  { db, chain }: Pick<AuditDeps, 'db' | 'chain'>,
  indexes: readonly number[],
): Promise<Differing[]> {
  const differing: Differing[] = []
  for (let from = 0; from < indexes.length; from += GROUP) {
    const rows = await db.rows(readAddresses, { indexes: indexes.slice(from, from + GROUP) })
    const accounts = rows.map(toAccount)
    for (let at = 0; at < accounts.length; at += PAGE) {
      const page = accounts.slice(at, at + PAGE)
      const { amounts } = await chain.tokenBalances(
        page.map((account) => account.tokenAccount),
        { notBefore: 0n },
      )
      for (const [position, account] of page.entries()) {
        const finding = accountFinding(account, amounts[position]!)
        if (finding) differing.push({ index: account.index, finding })
      }
    }
  }
  return differing
}

function accountFinding(
  { owner, wallet, credited, unclaimed, pending, swept, moving }: DepositAccount,
  onChain: bigint,
): Finding | null {
  const expected = credited + unclaimed - swept
  if (onChain >= expected - moving && onChain <= expected + pending) return null
  const figures = `${formatExact(credited)} credited, ${formatExact(unclaimed)} unclaimed, ${formatExact(swept)} swept`
  const hint = onChain > expected ? '; perhaps a deposit that is not credited yet' : ''
  return {
    law: 'a deposit account holds what was received and not swept',
    what: `${owner} of ${wallet ?? 'no player'}`,
    found: `${figures}, ${formatExact(onChain)} on the chain${hint}`,
  }
}

type Booked = { swept: string; coming: bigint; funded: bigint; paid: string; leaving: bigint }

async function auditTreasury({
  db,
  chain,
  treasury,
  cold,
}: Pick<AuditDeps, 'db' | 'chain'> & { treasury: Address; cold: readonly string[] }): Promise<Finding[]> {
  const accounts = await coldAccounts(chain, [...cold, treasury])
  const { amounts } = await chain.tokenBalances(accounts, { notBefore: 0n })
  const onChain = amounts.reduce((sum, amount) => sum + amount, 0n)
  const [booked] = await db.rows(readTreasury)
  const { coming, funded, leaving } = booked!
  const [swept, paid] = [BigInt(booked!.swept), BigInt(booked!.paid)]
  const settled = swept + funded - paid
  // A surplus is no difference: tokens that were sent to the treasury wait for `fund`.
  if (onChain >= settled - leaving) return []
  const figures = `${formatExact(swept)} swept, ${formatExact(coming)} in open sweeps, ${formatExact(funded)} funded, ${formatExact(paid)} paid, ${formatExact(leaving)} in open payouts`
  return [
    {
      law: 'treasury and cold storage hold what was swept and funded, minus what was paid',
      what: treasury,
      found: `${figures}, ${formatExact(onChain)} on the chain`,
    },
  ]
}

async function auditPaid({ db, chain }: Pick<AuditDeps, 'db' | 'chain'>): Promise<Finding[]> {
  const law = 'every paid withdrawal has its payout on the chain'
  const rows = await db.rows(readPaid, { limit: MAX_PAYOUTS })
  const paid = rows.flatMap(({ id, signature }) => (signature === null ? [] : [{ id, signature }]))
  const unsigned = rows.filter((row) => row.signature === null)
  const statuses = await chain.statuses(paid.map(({ signature }) => signature))
  return [
    ...unsigned.map(({ id }) => ({ law, what: id, found: 'no transaction in the books' })),
    ...paid.flatMap(({ id, signature }, at) => {
      const status = statuses[at]
      if (status?.commitment === 'finalized' && !status.failed) return []
      const found = `${signature} ${status ? (status.failed ? 'failed' : `is only ${status.commitment}`) : 'is unknown'}`
      return [{ law, what: id, found }]
    }),
  ]
}
