import { createHash } from 'node:crypto'
import { type Alert, type AlertName, RUNBOOK } from './find-alerts.ts'

/** An alert to post: one that is on, or one that is over. */
export type Notice =
  | { status: 'firing'; alert: Alert; since: Date }
  | { status: 'resolved'; name: AlertName; since: Date; endedAt: Date }

/** Discord refuses messages of more than 2,000 characters. */
const MAX_TEXT_LENGTH = 1_900

/** What Alertmanager sends for an alert that has not ended. */
const NOT_ENDED = '0001-01-01T00:00:00Z'

/**
 * One message for all notices: the fields of Alertmanager's webhooks (version 4), with the same as a sentence in `text`,
 * which Slack and Mattermost show, and in `content`, which Discord shows.
 */
export function webhookMessage(notices: readonly Notice[], { game }: { game: string }) {
  const text = [`Cotton Farm at ${game}`, ...notices.map(lineOf)].join('\n').slice(0, MAX_TEXT_LENGTH)
  return {
    version: '4',
    receiver: 'cotton-farm',
    status: notices.some(({ status }) => status === 'firing') ? 'firing' : 'resolved',
    groupKey: `cotton-farm:${game}`,
    groupLabels: {},
    commonLabels: { game },
    commonAnnotations: {},
    externalURL: game,
    truncatedAlerts: 0,
    alerts: notices.map((notice) => alertOf(notice, game)),
    text,
    content: text,
  }
}

const nameOf = (notice: Notice): AlertName => (notice.status === 'firing' ? notice.alert.name : notice.name)

const lineOf = (notice: Notice): string =>
  notice.status === 'firing'
    ? `${notice.alert.severity === 'critical' ? 'CRITICAL' : 'WARNING'} ${notice.alert.name}: ${notice.alert.summary} See ${runbookOf(notice.alert.name)}`
    : `OVER ${notice.name}: since ${notice.endedAt.toISOString()}.`

const runbookOf = (name: AlertName): string => `${RUNBOOK}#${name.toLowerCase()}`

function alertOf(notice: Notice, game: string) {
  const alertname = nameOf(notice)
  const fingerprint = createHash('sha256').update(`${game} ${alertname}`).digest('hex').slice(0, 16)
  const common = { startsAt: notice.since.toISOString(), generatorURL: game, fingerprint }
  const runbook = { runbook_url: runbookOf(alertname) }
  if (notice.status === 'resolved')
    return {
      status: notice.status,
      labels: { alertname, game },
      annotations: { summary: 'It is over.', ...runbook },
      ...common,
      endsAt: notice.endedAt.toISOString(),
    }
  const { severity, summary } = notice.alert
  return {
    status: notice.status,
    labels: { alertname, game, severity },
    annotations: { summary, ...runbook },
    ...common,
    endsAt: NOT_ENDED,
  }
}
