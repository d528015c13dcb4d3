/** A node of a plan, as `explain (verbose, format json)` shows it. */
export type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  Alias?: string
  'CTE Name'?: string
  'Subplan Name'?: string
  Output?: string[]
  Plans?: PlanNode[]
  [other: string]: unknown
}

/** A table that a plan reads, and what its wallet equals. Two reads with the same `wallet` are joined on the wallet. */
export type TableRead = { table: string; wallet: string | null }

const CONDITIONS = [
  'Index Cond',
  'Recheck Cond',
  'Filter',
  'Join Filter',
  'Hash Cond',
  'Merge Cond',
  'One-Time Filter',
]

/** One side of an equality: a column, a parameter, or a column of a subquery that runs once. */
const SIDE = String.raw`\(?((?:\(InitPlan \d+\)|"?[\w*]+(?: \w+)*"?)\.\w+|\$\d+)\)?(?:::[\w ]+)?`
const EQUALITY = new RegExp(`${SIDE} = (ANY \\()?${SIDE}`, 'g')

/**
 * The tables among `tables` that a plan reads, with what their wallets equal by the conditions of the plan. The wallet is in
 * the column `wallet`. A wallet that is one of several in a parameter is equal to no other.
 */
export function readWallets(plan: PlanNode, tables: ReadonlySet<string>): TableRead[] {
  const all = nodesOf(plan)
  const classes = createClasses()
  for (const node of all) {
    for (const condition of CONDITIONS.flatMap((name) => (node[name] as string | undefined) ?? []))
      for (const [, left, any, right] of condition.matchAll(EQUALITY))
        classes.join(left!, any ? `one of ${right} in ${node.Alias}` : right!)
    for (const [outer, inner] of renamedColumns(node, all)) classes.join(outer, inner)
  }
  return all
    .filter((node) => tables.has(node['Relation Name'] ?? '') && node['Node Type'] !== 'ModifyTable')
    .map(({ 'Relation Name': table, Alias }) => {
      const wallet = `${Alias}.wallet`
      return { table: table!, wallet: classes.isAlone(wallet) ? null : classes.of(wallet) }
    })
}

const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** Columns that a subquery, a `with` query or a subquery that runs once passes on, in both names. */
function renamedColumns(node: PlanNode, all: readonly PlanNode[]): [outer: string, inner: string][] {
  const [, init] = /^(InitPlan \d+)/.exec(node['Subplan Name'] ?? '') ?? []
  if (init) return (node.Output ?? []).map((column, at) => [`(${init}).col${at + 1}`, column])
  const inside =
    node['Node Type'] === 'CTE Scan'
      ? all.filter((each) => each['Subplan Name'] === `CTE ${node['CTE Name']}`)
      : node['Node Type'] === 'Subquery Scan'
        ? (node.Plans ?? [])
        : []
  return (node.Output ?? []).flatMap((outer) =>
    inside.flatMap(({ Output = [] }) => {
      const inner = Output.filter((each) => each.split('.').at(-1) === outer.split('.').at(-1))
      return inner.map((each): [string, string] => [outer, each])
    }),
  )
}

/** Names that are equal, directly or through others. */
function createClasses() {
  const parents = new Map<string, string>()
  const of = (name: string): string => {
    const parent = parents.get(name)
    return parent === undefined || parent === name ? name : of(parent)
  }
  return {
    of,
    join(one: string, other: string): void {
      for (const name of [one, other]) if (!parents.has(name)) parents.set(name, name)
      parents.set(of(one), of(other))
    },
    isAlone: (name: string): boolean => !parents.has(name),
  }
}
