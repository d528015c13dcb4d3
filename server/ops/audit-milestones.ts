import { isReached, type Milestone, type MilestoneFacts, milestoneOf } from '#game/milestones.ts'
import { continentOf } from '#game/parcels.ts'
import type { Finding } from '#server/ledger/verify-ledger.ts'
import { readFacts } from '#server/milestones/read-facts.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'

type Grant = { wallet: string; code: string; granted_at: Date }
type Sale = { parcel_id: string; bought_at: Date }

const readGrants = sql({
  name: 'audit-milestones',
  params: { wallet: 'text', limit: 'integer' },
  row: rowOf<Grant>(),
  text: ({ wallet, limit }) =>
    `select wallet, code, granted_at from milestones where wallet in (
       select distinct wallet from milestones where wallet > ${wallet} order by wallet limit ${limit}
     ) order by wallet, granted_at, code`,
})

const readSales = sql({
  name: 'audit-milestones-land',
  row: rowOf<Sale>(),
  text: 'select parcel_id, bought_at from land',
})

const WALLETS_AT_ONCE = 1_000

/** Grants of milestones that their players never reached. What they depend on only grows, so today's facts decide. */
export async function auditMilestones(db: Queryable): Promise<Finding[]> {
  const sales = await db.rows(readSales)
  const findings: Finding[] = []
  let after = ''
  for (;;) {
    const grants = await db.rows(readGrants, { wallet: after, limit: WALLETS_AT_ONCE })
    if (grants.length === 0) return findings
    const facts = await readFacts(db, [...new Set(grants.map(({ wallet }) => wallet))])
    const unreached = grants.filter((grant) => !wasReached(grant, facts.get(grant.wallet)!, sales))
    findings.push(
      ...unreached.map(({ wallet, code }) => ({
        law: 'every granted milestone was reached',
        what: `${wallet} ${code}`,
        found: 'granted, not reached',
      })),
    )
    after = grants.at(-1)!.wallet
  }
}

function wasReached(grant: Grant, facts: MilestoneFacts, sales: readonly Sale[]): boolean {
  const milestone = milestoneOf(grant.code)
  if (!milestone) return false
  return milestone.kind === 'whole-continent'
    ? hadAllLand(milestone, { ...grant, facts, sales })
    : isReached(milestone, facts)
}

/** The operator may offer more land later, so only what was sold before the grant counts. */
function hadAllLand(
  { continent }: Extract<Milestone, { kind: 'whole-continent' }>,
  {
    granted_at: grantedAt,
    facts,
    sales,
  }: { granted_at: Date; facts: MilestoneFacts; sales: readonly Sale[] },
): boolean {
  const had = new Set(facts.parcelIds.filter((parcelId) => continentOf(parcelId) === continent))
  const sold = sales.filter(
    ({ parcel_id: parcelId, bought_at: boughtAt }) =>
      continentOf(parcelId) === continent && boughtAt < grantedAt,
  )
  return had.size > 0 && sold.every(({ parcel_id: parcelId }) => had.has(parcelId))
}
