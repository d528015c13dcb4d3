// Writes the tables of metrics in docs/operate/monitoring.md from server/platform/metrics/metric-table.ts.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { METRIC_SECTIONS } from '../server/platform/metrics/metric-table.ts'

export const MONITORING_PAGE = resolve(import.meta.dirname, '../docs/operate/monitoring.md')

const [START, END] = ['<!-- metrics: npm run docs:metrics -->', '<!-- end of metrics -->']

/**
 * The page with the tables of today.
 *
 * @param {string} page
 */
export function writeMetrics(page) {
  const [before, after] = [page.indexOf(START), page.indexOf(END)]
  if (before < 0 || after < before) throw new Error(`The page lacks the marks ${START} and ${END}.`)
  const tables = METRIC_SECTIONS.map(({ title, metrics }) => `### ${title}\n\n${tableOf(metrics)}`)
  return `${page.slice(0, before + START.length)}\n\n${tables.join('\n\n')}\n\n${page.slice(after)}`
}

/** @param {(typeof METRIC_SECTIONS)[number]['metrics']} metrics */
function tableOf(metrics) {
  const rows = Object.entries(metrics).map(([name, { type, labels = [], roles, help }]) => {
    const label = labels.map((each) => `\`${each}\``).join(', ')
    return `| \`${name}\` | ${type} | ${label} | ${roles.join(', ')} | ${help} |`
  })
  return [
    '| Metric | Type | Labels | Served by | Meaning |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

if (import.meta.main) writeFileSync(MONITORING_PAGE, writeMetrics(readFileSync(MONITORING_PAGE, 'utf8')))
