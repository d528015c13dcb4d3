import { external, parseMinutes, parsePort, parseText, parseWebhookUrl, setting } from './setting.ts'

/** Metrics, alerts and traces. */
export const MONITORING_SETTINGS = {
  METRICS_PORT: setting({
    parse: parsePort,
    default: 0,
    roles: ['api', 'watcher', 'local-chain'],
    description:
      'Port of `/metrics`, `/livez` and `/readyz` for [monitoring](operate/monitoring.md). `npm start` gives it to the api, the next port to the watcher, and the one after to the local chain. 0 turns them off.',
  }),
  METRICS_HOST: setting({
    parse: parseText,
    default: '127.0.0.1',
    roles: ['api', 'watcher', 'local-chain'],
    description:
      'Address on which they listen. `0.0.0.0` lets a Prometheus on another machine or in another container read them. Players must not reach it.',
  }),
  ALERT_WEBHOOK_URL: setting({
    parse: parseWebhookUrl,
    default: '',
    defaultText: 'none',
    roles: ['watcher'],
    secret: true,
    description:
      'Where the watcher posts [alerts](operate/monitoring.md#alerts-by-webhook) as JSON: a webhook of Slack, Discord, Mattermost, or anything that accepts those of Alertmanager. It must be https, except on this machine.',
  }),
  ALERT_REPEAT_MINUTES: setting({
    parse: parseMinutes,
    default: 60,
    roles: ['watcher'],
    description: 'How often an alert is repeated until it is over (1 to 10080).',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: external({
    defaultText: 'none',
    roles: ['api', 'watcher'],
    description:
      'Where [traces](operate/monitoring.md#traces) go: a receiver of OTLP over HTTP that accepts JSON. The other standard variables of OpenTelemetry (`OTEL_*`) work, too. Without it nothing of OpenTelemetry is loaded.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: external({
    defaultText: 'none',
    roles: ['api', 'watcher'],
    secret: true,
    description: 'Headers for the receiver, such as the key of a provider: `name=value`, comma-separated.',
  }),
  OTEL_TRACES_SAMPLER: external({
    defaultText: '`parentbased_always_on`',
    roles: ['api', 'watcher'],
    description:
      'Which requests are traced: `always_on`, `always_off` or `traceidratio`, each with or without `parentbased_` before it. With it, a caller that sends `traceparent` decides about its own request.',
  }),
  OTEL_TRACES_SAMPLER_ARG: external({
    defaultText: '1',
    roles: ['api', 'watcher'],
    description: 'The share of requests for `traceidratio`, from 0 to 1.',
  }),
} as const
