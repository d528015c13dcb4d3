import { expect, test } from 'vitest'
import { findFreePort } from '#server/processes/ports.ts'
import { measure } from '#server/platform/measure.ts'
import { recordMeasurements } from './record-measurements.ts'
import { createMetrics } from './registry.ts'
import { serveMetrics } from './serve-metrics.ts'

const metricsHost = '127.0.0.1'

test('the listener answers metrics, liveness and readiness, and nothing else', async () => {
  const metricsPort = await findFreePort()
  let ready = true
  const isReady = async () => ({ ready, facts: { signer: 'ready' } })
  const served = await serveMetrics({ metricsHost, metricsPort, role: 'watcher', isReady })
  const url = `http://127.0.0.1:${metricsPort}`
  const statusOf = async (path: string, options = {}) => (await fetch(`${url}${path}`, options)).status
  expect(await statusOf('/livez')).toBe(200)
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ok', signer: 'ready' })
  ready = false
  expect(await statusOf('/readyz')).toBe(503)
  expect(await statusOf('/livez')).toBe(200)
  expect(await statusOf('/metrics', { method: 'POST' })).toBe(405)
  for (const path of ['/', '/metrics?x', '/metrics/', '/../etc/passwd'])
    expect(await statusOf(path)).toBe(404)
  await served.stop()
  await expect(fetch(`${url}/livez`)).rejects.toThrow('fetch failed')
})

test('what parts of the process measure is counted, and a slot is new only once', async () => {
  const metricsPort = await findFreePort()
  const served = await serveMetrics({
    metricsHost,
    metricsPort,
    role: 'watcher',
    isReady: async () => ({ ready: true }),
  })
  const at = new Date(5_000)
  measure({ of: 'round', name: 'watcher', ok: true, tookMs: 30, at })
  measure({ of: 'round', name: 'watcher', ok: false, tookMs: 30, at: new Date(9_000) })
  measure({ of: 'rpc', node: 'rpc.example', ok: false })
  measure({ of: 'slot', slot: 10n ** 15n, at: new Date(4_000) })
  measure({ of: 'slot', slot: 9n, at })
  measure({ of: 'slot', slot: 9n, at: new Date(9_000) })
  measure({ of: 'slot', slot: 8n, at: new Date(9_000) })
  measure({ of: 'unread', ageMs: 90_000 })
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'cotton_rounds_total{round="watcher",outcome="ok"} 1',
      'cotton_rounds_total{round="watcher",outcome="failed"} 1',
      'cotton_round_success_timestamp_seconds{round="watcher"} 5',
      'cotton_round_duration_seconds_bucket{le="0.05",round="watcher"} 2',
      'cotton_rpc_requests_total{node="rpc.example",outcome="failed"} 1',
      'cotton_chain_slot 9',
      'cotton_chain_slot_timestamp_seconds 5',
      'cotton_deposit_unread_age_seconds 90',
    ]),
  )
  await served.stop()
})

test('work that has failed since the start has an age, which further failures do not renew', async () => {
  const metrics = createMetrics('watcher')
  const stop = recordMeasurements(metrics)
  const end = (ok: boolean, seconds: number) =>
    measure({ of: 'round', name: 'hours', ok, tookMs: 30, at: new Date(seconds * 1_000) })
  const ages = async () =>
    (await metrics.text()).split('\n').filter((line) => /^cotton_round_success.*"hours"/.test(line))
  expect(await ages()).toEqual([])
  end(false, 5)
  end(false, 9)
  expect(await ages()).toEqual(['cotton_round_success_timestamp_seconds{round="hours"} 5'])
  end(true, 12)
  end(false, 20)
  expect(await ages()).toEqual(['cotton_round_success_timestamp_seconds{round="hours"} 12'])
  stop()
})

test('messages to the webhook are counted from 0, so that Prometheus sees the first as an increase', async () => {
  const metrics = createMetrics('watcher')
  recordMeasurements(metrics)()
  const text = await metrics.text()
  for (const outcome of ['ok', 'failed'])
    expect(text).toContain(`cotton_alert_deliveries_total{outcome="${outcome}"} 0\n`)
})

test('what a silent database does not answer is absent, and everything else is served', async () => {
  const metrics = createMetrics('watcher', { maxReadMs: 20 })
  metrics.set({ name: 'cotton_withdrawals_paused', value: 0 })
  metrics.collect(['cotton_withdrawals_paused'], () => new Promise(() => {}))
  const text = await metrics.text()
  expect(text).not.toMatch(/^cotton_withdrawals_paused/m)
  expect(text).toMatch(/^cotton_build_info\{.*\} 1$/m)
})

test('a port that is taken and an address of another machine are refused in a sentence', async () => {
  const metricsPort = await findFreePort()
  const isReady = async () => ({ ready: true })
  const serve = (host: string) => serveMetrics({ metricsHost: host, metricsPort, role: 'api', isReady })
  const served = await serve(metricsHost)
  await expect(serve(metricsHost)).rejects.toThrow(/already taken: set METRICS_PORT/)
  await served.stop()
  await expect(serve('192.0.2.1')).rejects.toThrow(/check METRICS_HOST/)
  expect(await serveMetrics({ metricsHost, metricsPort: 0, role: 'api', isReady })).toHaveProperty('stop')
})
