import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import type { Queryable } from '#server/platform/db/db.ts'
import { hasPassed } from '#server/platform/has-passed.ts'
import type { Log } from '#server/platform/log.ts'
import { measure } from '#server/platform/measure.ts'
import { createOutageLog } from '#server/platform/outage-log.ts'
import { type RunningRounds, runRepeatedly } from '#server/platform/run-rounds.ts'
import { isUnavailable } from '#server/platform/unavailable-error.ts'
import { createOutageAlert } from './outage-alert.ts'
import { postWebhook, WebhookError } from './post-webhook.ts'
import { sendAlerts } from './send-alerts.ts'
import { type Notice, webhookMessage } from './webhook-message.ts'

const INTERVAL_MS = 5_000

/** After a failure the webhook is left alone for this long, then for twice as long after each failure. */
const MIN_BACKOFF_MS = 5_000
const MAX_BACKOFF_MS = 300_000

type AlertSettings = Pick<Config, 'alertWebhookUrl' | 'alertRepeatMs' | 'publicUrl'>
type AlertDeps = { db: Queryable; clock: Clock; log: Log }

/** Posts alerts to the operator's webhook until stopped. Does nothing without a webhook. */
export function startAlerts(settings: AlertSettings, deps: AlertDeps): RunningRounds {
  if (!settings.alertWebhookUrl) return { stop: async () => {} }
  const round = createAlertRound(settings, deps)
  return runRepeatedly(round, { intervalMs: INTERVAL_MS, log: deps.log, name: 'alerts' })
}

/** One round of alerts. A webhook that fails is tried again with growing delays, and fails no round. */
export function createAlertRound(
  { alertWebhookUrl: url, alertRepeatMs: repeatMs, publicUrl: game }: AlertSettings,
  { db, clock, log }: AlertDeps,
): () => Promise<void> {
  const outage = createOutageLog(log, { webhook: 'ALERT_WEBHOOK_URL' })
  let failures = 0
  let lastFailure: Date | null = null
  const post = async (notices: readonly Notice[]) => {
    await postWebhook(url, webhookMessage(notices, { game }))
    failures = 0
    lastFailure = null
    outage.recordSuccess()
    measure({ of: 'webhook', ok: true })
  }
  const databaseOutage = createOutageAlert({ repeatMs })
  const postIfDue = async (notice: Notice | null) => {
    if (!notice) return
    await post([notice])
    databaseOutage.posted(notice, clock.now())
  }
  const sendAll = async () => {
    try {
      await sendAlerts({ db, clock, repeatMs, post })
    } catch (error) {
      if (isUnavailable(error)) await postIfDue(databaseOutage.during(clock.now()))
      throw error
    }
    await postIfDue(databaseOutage.after(clock.now()))
  }
  return async () => {
    const backoffMs = Math.min(MIN_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS)
    if (lastFailure && !hasPassed(backoffMs, { from: lastFailure, now: clock.now() })) return
    try {
      await sendAll()
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error
      failures += 1
      lastFailure = clock.now()
      outage.recordFailure(error)
      measure({ of: 'webhook', ok: false })
    }
  }
}
