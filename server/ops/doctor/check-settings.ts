import { closestMatch } from 'leven'
import type { BoundChain } from '#server/deposits/connect-bound-chain.ts'
import type { Config } from '#server/platform/config.ts'
import { SETTINGS } from '#server/platform/settings.ts'
import { type DoctorContext, type Finding, findingsOn } from './finding.ts'

/** Shorter names resemble variables of other programs. */
const MIN_LENGTH = 8

/** How many letters a name may lack, have too many or have wrong. */
const MAX_EDITS = 2

const NAMES = Object.keys(SETTINGS).filter((name) => name.length >= MIN_LENGTH)

/** Variables that have nearly the name of a setting. Nothing else says that the game ignores them. */
export function checkSettings({ env }: Pick<DoctorContext, 'env'>): Finding[] {
  const settings = findingsOn('settings')
  for (const name of Object.keys(env)) {
    if (Object.hasOwn(SETTINGS, name)) continue
    const similar = closestMatch(name.toUpperCase(), NAMES, { maxDistance: MAX_EDITS })
    if (similar) settings.note(`${name} is no setting, and is ignored`, `write ${similar}, if you mean that`)
  }
  return settings.found
}

/** Whether anything alerts the operator. On the local chain nothing has to. */
export function checkAlerts(
  { alertWebhookUrl, metricsPort }: Pick<Config, 'alertWebhookUrl' | 'metricsPort'>,
  bound: Pick<BoundChain, 'cluster'> | null,
): Finding[] {
  const alerts = findingsOn('alerts')
  if (bound && bound.cluster !== 'local' && !alertWebhookUrl && metricsPort === 0)
    alerts.note('nobody is alerted', 'set ALERT_WEBHOOK_URL, or METRICS_PORT for Prometheus')
  return alerts.found
}
