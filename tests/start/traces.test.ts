/** @module-tag variant */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COMPILE_CACHE } from '#tests/support/run-server.ts'

/** Lists the packages that a process loads when it opens tracing with these variables. */
const LIST_LOADED = `
import { registerHooks } from 'node:module'
const loaded = new Set()
registerHooks({
  resolve(name, context, next) {
    const resolved = next(name, context)
    const [, packageName] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(resolved.url) ?? []
    if (packageName) loaded.add(packageName)
    return resolved
  },
})
await import('#server/app.ts')
await import('#server/monitoring/start-monitoring.ts')
const { openTracing } = await import('#server/platform/tracing/tracing.ts')
const tracing = await openTracing('test', process.env)
console.log(JSON.stringify([...loaded]))
process.exit(0)
`

function listLoaded(env: Record<string, string>): string[] {
  const args = ['--input-type=module', '--eval', LIST_LOADED]
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
    env: { ...COMPILE_CACHE, ...env },
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as string[]
}

test('without the variables nothing of OpenTelemetry is loaded', () => {
  const isOtel = (name: string) => name.startsWith('@opentelemetry/')
  const without = listLoaded({ OTEL_SERVICE_NAME: 'farm', OTEL_EXPORTER_OTLP_ENDPOINT: '' })
  expect(without).toContain('fastify')
  // prom-client loads the interfaces of OpenTelemetry, which do nothing by themselves.
  expect(without.filter(isOtel).filter((name) => name !== '@opentelemetry/api')).toEqual([])
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
  expect(listLoaded({ ...endpoint, OTEL_SDK_DISABLED: 'true' }).filter(isOtel)).toEqual(
    without.filter(isOtel),
  )
  expect(listLoaded(endpoint)).toContain('@opentelemetry/sdk-trace')
})
