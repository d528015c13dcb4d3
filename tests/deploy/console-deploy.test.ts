import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect } from 'vitest'
import { CONSOLE_ROUTES } from '#contract/console/routes.ts'
import { PAGES } from '#server/console/console-app.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { logInToConsole, openConsole } from '#tests/support/operators-console.ts'
import { makeDataDir, waitFor } from '#tests/support/run-server.ts'
import { test } from '#tests/support/test-world.ts'
import { unpackDebianProgram } from './debian-program.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SAMPLE = join(ROOT, 'deploy/proxy/console.Caddyfile')

test('the image contains the built pages that the console serves', () => {
  const pages = relative(ROOT, PAGES)
  const containerfile = readFileSync(join(ROOT, 'deploy/container/Containerfile'), 'utf8')
  expect(containerfile.split('\n')).toContain(`COPY --from=build /app/${pages} ${pages}`)
})

test('behind the sample for Caddy an operator reaches the console, by its own name only', async ({
  world,
  skip,
}) => {
  const caddy = unpackDebianProgram(['caddy'], 'usr/bin/caddy')
  if (!caddy) return skip('apt-get cannot download Caddy here')
  const console = await openConsole(world)
  await console.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = console.app.server.address() as { port: number }
  const folder = makeDataDir()
  const own = await findFreePort()
  const child = spawn(caddy.path, ['run', '--adapter', 'caddyfile', '--config', SAMPLE], {
    env: {
      ...caddy.env,
      HOME: join(folder.dataDir, 'home'),
      CONSOLE_SITE: `http://localhost:${own}`,
      CONSOLE_BIND: '127.0.0.1',
      CONSOLE_ROLE: `127.0.0.1:${port}`,
    },
    stdio: 'ignore',
  })
  try {
    const url = `http://localhost:${own}${CONSOLE_ROUTES.readSession.path}`
    await waitFor('Caddy', async () => (await fetch(url).catch(() => null))?.status === 401)
    const token = await logInToConsole(console, console.addOperator('Ana', 'view'))
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    expect(await answer.json()).toMatchObject({ operator: { name: 'Ana', rights: ['view'] } })
    const elsewhere = await fetch(`http://127.0.0.1:${own}${CONSOLE_ROUTES.readGame.path}`)
    expect(await elsewhere.text()).toBe('')
  } finally {
    child.kill()
    await once(child, 'exit')
    await console.close()
    folder.remove()
  }
})
