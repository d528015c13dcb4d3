import type { Queryable } from '#server/platform/db/db.ts'
import { rawSql } from './raw-sql.ts'

/** A statement as it was sent: its values are in the order of its placeholders. */
export type SentStatement = { name: string; text: string; values: readonly unknown[] }

type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** Executes a statement and returns all nodes of its plan, the top one first. */
export async function explainStatement(
  db: Queryable,
  { name, text, values }: SentStatement,
): Promise<PlanNode[]> {
  const explained = { name: `explain-${name}`, text: `explain (analyze, buffers, format json) ${text}` }
  const [row] = await db.rows(rawSql<Record<'QUERY PLAN', [{ Plan: PlanNode }]>>(explained, values))
  const nodes = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]
  return nodes(row!['QUERY PLAN'][0].Plan)
}

/** How many blocks a plan touched, how many rows it read from tables and indexes, and how many of them it discarded. */
export function costOf(plan: readonly PlanNode[]): { blocks: number; read: number; discarded: number } {
  const top = plan[0]!
  const sum = (nodes: readonly PlanNode[], rowsOf: (node: PlanNode) => number): number =>
    nodes.reduce((total, node) => total + rowsOf(node) * node['Actual Loops'], 0)
  const discardedBy = (node: PlanNode): number => node['Rows Removed by Filter'] ?? 0
  const leaves = plan.filter(({ Plans: children }) => children === undefined)
  return {
    blocks: top['Shared Hit Blocks'] + top['Shared Read Blocks'],
    read: sum(leaves, (leaf) => leaf['Actual Rows'] + discardedBy(leaf)),
    discarded: sum(plan, discardedBy),
  }
}
