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

/**
 * Whether these settings let anything alert the operator. On the local chain nothing has to. The files of separate roles may
 * have settings that the shell of the doctor lacks.
 */
export function checkAlerts(
  { alertWebhookUrl, metricsPort }: Pick<Config, 'alertWebhookUrl' | 'metricsPort'>,
  bound: Pick<BoundChain, 'cluster'> | null,
): Finding[] {
  const alerts = findingsOn('alerts')
  if (bound && bound.cluster !== 'local' && !alertWebhookUrl && metricsPort === 0)
    alerts.note(
      'neither ALERT_WEBHOOK_URL nor METRICS_PORT is set here',
      'set the first, or the second for Prometheus, unless the files of separate roles do: otherwise nobody is alerted',
    )
  return alerts.found
}
