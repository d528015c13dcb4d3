import { type Cotton, baseUnits, formatExact } from '#game/cotton.ts'
import type { Address, Chain } from '#server/chain/port.ts'
import { TOKEN_ACCOUNT_BYTES } from '#server/chain/transactions.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { formatSol } from '#server/platform/format-sol.ts'
import { coldAccounts } from '#server/solvency/take-snapshot.ts'
import { readWithdrawalSettings, type WithdrawalSettings } from '#server/platform/withdrawal-settings.ts'
import { type Command, requireChain } from './command.ts'

/** Of a payout: 5,000 for its signature, and 300,000 for its compute units at their highest price. */
const HIGHEST_FEE_LAMPORTS = 305_000n

/** Of a sweep, which the deposit address signs, too. */
const HIGHEST_SWEEP_FEE_LAMPORTS = 310_000n

const DAYS = 7

const readTraffic = sql({
  name: 'top-up-read-traffic',
  params: { since: 'timestamptz' },
  row: rowOf<Traffic>(),
  text: ({ since }) =>
    `select
       (select coalesce(sum(deposited + earned), 0) from withdrawals where state not in ('finalized', 'refunded'))::bigint as queued,
       (select count(*) from withdrawals where state not in ('finalized', 'refunded'))::bigint as waiting,
       (select coalesce(sum(deposited + earned), 0) from withdrawals where state = 'finalized' and settled_at > ${since})::bigint as paid,
       (select count(*) from withdrawals where state = 'finalized' and settled_at > ${since})::bigint as payouts,
       (select count(*) from sweeps where state = 'finalized' and at > ${since})::bigint as sweeps`,
})

type Traffic = { queued: bigint; waiting: bigint; paid: bigint; payouts: bigint; sweeps: bigint }

/** What the treasury holds on the chain, and the configured bounds. */
export type Holdings = { tokens: Cotton; lamports: bigint; bounds: WithdrawalSettings['treasury'] }

export const topUp: Command = {
  usage: '',
  description:
    'shows where to send tokens and SOL, the current holdings, the pending payouts, and how long the holdings last',
  positionals: 0,
  options: [],
  async run(context) {
    const { chain, boundChain, cold } = await requireChain(context)
    const treasury = boundChain.treasury as Address
    const now = context.clock.now()
    const since = new Date(now.getTime() - DAYS * 24 * 60 * 60_000)
    const [traffic] = await context.db.rows(readTraffic, { since })
    const holdings = await readHoldings(chain, treasury)
    const lines = linesOf(holdings, traffic!, await costOfPayout(chain))
    const stored = await readCold(chain, cold)
    const all = [
      ['treasury (also pays the fees)', treasury] as const,
      ['token', boundChain.mint] as const,
      ...lines,
      ...stored,
    ]
    const width = Math.max(...all.map(([name]) => name.length))
    for (const [name, value] of all) context.say(`${name.padEnd(width)}  ${value}`)
  },
}

/** Reads what the treasury holds, with the bounds that the operator set. Rejects with `ChainUnavailable`. */
export async function readHoldings(chain: Chain, treasury: Address): Promise<Holdings> {
  const { treasury: bounds } = readWithdrawalSettings(process.env)
  const tokenAccount = await chain.tokenAccountOf(treasury)
  const tokens = baseUnits(await chain.tokenBalance(tokenAccount, 'finalized'))
  return { tokens, lamports: await chain.lamports(treasury, 'finalized'), bounds }
}

/** One line for each wallet of cold storage. */
async function readCold(chain: Chain, wallets: readonly string[]): Promise<[string, string][]> {
  if (wallets.length === 0) return []
  const { amounts } = await chain.tokenBalances(await coldAccounts(chain, wallets), { notBefore: 0n })
  return [...new Set(wallets)].map((wallet, at) => [
    'cold storage',
    `${formatExact(baseUnits(amounts[at]!))} $COTTON in ${wallet}`,
  ])
}

/** The maximum cost of one payout: its fee, and a token account if the wallet has none. */
async function costOfPayout(chain: Chain): Promise<bigint> {
  return HIGHEST_FEE_LAMPORTS + (await chain.rentFor(TOKEN_ACCOUNT_BYTES))
}

function linesOf({ tokens, lamports, bounds }: Holdings, traffic: Traffic, cost: bigint): [string, string][] {
  const { queued, waiting, paid, payouts, sweeps } = traffic
  const missing = queued - tokens
  const perDay = paid / BigInt(DAYS)
  const lamportsPerDay = (payouts * cost + sweeps * HIGHEST_SWEEP_FEE_LAMPORTS) / BigInt(DAYS)
  return [
    ['$COTTON', `${formatExact(tokens)}${boundsOf(tokens, bounds.tokens, formatExact)}`],
    ['SOL', `${formatSol(lamports)}${boundsOf(lamports, bounds.lamports, formatSol)}`],
    ['open withdrawals', `${waiting}, ${formatExact(queued)} $COTTON`],
    ...(missing > 0n
      ? [['MISSING', `${formatExact(missing)} $COTTON for the open withdrawals`] as [string, string]]
      : []),
    [
      'paid per day',
      `${formatExact(perDay)} $COTTON in ${(Number(payouts) / DAYS).toFixed(1)} payouts, average of the last ${DAYS} days`,
    ],
    ['$COTTON lasts', days(missing > 0n ? 0n : -missing, perDay)],
    ['SOL lasts', `${days(lamports, lamportsPerDay)}; for ${lamports / cost} payouts at the highest fee`],
  ]
}

type Bounds = { floor: bigint; cap: bigint }

function boundsOf(amount: bigint, { floor, cap }: Bounds, shown: (amount: bigint) => string): string {
  if (amount < floor) return `, BELOW the floor of ${shown(floor)}: send at least ${shown(floor - amount)}`
  if (cap > 0n && amount > cap)
    return `, ABOVE the cap of ${shown(cap)}: move ${shown(amount - cap)} to cold storage`
  return `, floor ${shown(floor)}${cap > 0n ? `, cap ${shown(cap)}` : ', no cap'}`
}

function days(amount: bigint, perDay: bigint): string {
  if (perDay === 0n) return 'indefinitely at this rate: nothing was paid recently'
  return `for ${(amount / perDay).toLocaleString('en-US')} days at this rate`
}
