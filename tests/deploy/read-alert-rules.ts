import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const RULES_FILE = join(import.meta.dirname, '../../deploy/prometheus/alerts.yml')

export type AlertRule = { name: string; expr: string; severity: string; runbook: string }

/** The alerts of deploy/prometheus/alerts.yml. promtool checks that the file is valid. */
export function readAlertRules(): AlertRule[] {
  const [, ...blocks] = readFileSync(RULES_FILE, 'utf8').split(/^ +- alert: /m)
  return blocks.map((block) => {
    const find = (pattern: RegExp) => pattern.exec(block)?.[1] ?? ''
    return {
      name: find(/^(\w+)\n/),
      expr: find(/^ +expr: (?:>-\n)?([^]+?)\n +(?:for|labels):/m).replace(/\s+/g, ' '),
      severity: find(/severity: (\w+)/),
      runbook: find(/runbook_url: (\S+)/),
    }
  })
}
