import { afterAll, expect } from 'vitest'
import { METRICS, type MetricRole, type MetricRow } from '#server/platform/metrics/metric-table.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { killServer, makeDataDir, type RunningServer, runServer, waitFor } from '#tests/support/run-server.ts'
import { test } from '#tests/support/test-world.ts'

const folder = makeDataDir()
let server: RunningServer | undefined

afterAll(async () => {
  await killServer(server)
  folder.remove()
})

// Another address than that of the game: METRICS_HOST decides.
const METRICS_HOST = '127.0.0.2'

test('every role serves its metrics and its health, and the watcher those of the signer', async ({
  world,
}) => {
  const port = await findFreePort(3)
  const env = { ...world.environment, METRICS_PORT: String(port), METRICS_HOST }
  server = runServer({ dataDir: folder.dataDir, env })
  const url = await server.ready
  await fetch(`${url}/api/workers/types`)
  const read = async (role: MetricRole, path: string) => {
    const offset = ['api', 'watcher', 'local-chain'].indexOf(role)
    return fetch(`http://${METRICS_HOST}:${port + offset}${path}`)
  }
  for (const role of ['api', 'watcher', 'local-chain'] as const) {
    expect((await read(role, '/livez')).status, role).toBe(200)
    expect((await read(role, '/readyz')).status, role).toBe(200)
    const text = await (await read(role, '/metrics')).text()
    expect(typesOf(text), role).toEqual(tableOf(role))
    expect(text).toMatch(/^process_resident_memory_bytes \d/m)
  }
  await waitFor('the signer', async () => {
    const { signer } = (await (await read('watcher', '/readyz')).json()) as { signer: string }
    return signer === 'ready'
  })
  await waitFor('a sample of each kind', async () => {
    const text = await (await read('watcher', '/metrics')).text()
    return (
      /^cotton_rounds_total\{round="solvency",outcome="ok"\} [1-9]/m.test(text) &&
      /^cotton_chain_slot_timestamp_seconds [1-9]/m.test(text) &&
      /^cotton_reserve_surplus_cotton 0$|^cotton_reserve_surplus_cotton [1-9]/m.test(text) &&
      /^cotton_treasury_sol [\d.]+$/m.test(text) &&
      /^cotton_signer_stage\{stage="ready"\} 1$/m.test(text)
    )
  })
  const api = await (await read('api', '/metrics')).text()
  expect(api).toMatch(/^http_requests_total\{method="GET",route="\/api\/workers\/types",status="200"\} 1$/m)
  expect(api).toMatch(/^cotton_db_connections\{pool="cotton-api",state="idle"\} [1-9]/m)
  expect(api).toMatch(/^cotton_bus_connected 1$/m)
})

/** The names and types of the game's own metrics. */
const typesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^# TYPE ((?:cotton|http)_\S+) (\w+)$/gm)]
      .map((match) => [match[1]!, match[2]!] as const)
      .toSorted(),
  )

const tableOf = (role: MetricRole): Record<string, string> =>
  Object.fromEntries(
    Object.entries<MetricRow>(METRICS)
      .filter(([, { roles }]) => roles.includes(role))
      .map(([name, { type }]) => [name, type] as const)
      .toSorted(),
  )
