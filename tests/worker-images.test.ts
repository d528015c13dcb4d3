import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WORKER_TYPES, type WorkerType } from '#game/workers.ts'
import { workerTypesOnWire } from '#server/workers/read-workers.ts'

const cacheDir = mkdtempSync(join(tmpdir(), 'worker-images-'))
let vite: ViteDevServer
let origin = ''

beforeAll(async () => {
  vite = await createServer({
    configFile: join(import.meta.dirname, '../vite.config.ts'),
    cacheDir,
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
  })
  await vite.listen()
  origin = `http://127.0.0.1:${(vite.httpServer!.address() as AddressInfo).port}`
})
afterAll(async () => {
  await vite.close()
  rmSync(cacheDir, { recursive: true })
})

test.each(WORKER_TYPES)('the pictures of %s exist', (type) => {
  const art = join(import.meta.dirname, '../web/art')
  for (const file of [`${type}.svg`, `${type}-face.webp`, `portrait-${type}.svg`])
    expect([file, existsSync(join(art, file))]).toEqual([file, true])
})

// tests/e2e/api-calls.e2e.ts tests the same for the built app.
test.each(WORKER_TYPES)('in development, the image that the API names for %s is an image', async (type) => {
  const supply = Object.fromEntries(WORKER_TYPES.map((each) => [each, { maxSupply: 1, sold: 0 }]))
  const { image } = workerTypesOnWire(supply as Record<WorkerType, { maxSupply: number; sold: number }>)[type]
  const answer = await fetch(new URL(image, origin))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(await answer.text()).toContain('<svg')
})
