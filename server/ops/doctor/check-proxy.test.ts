import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { findFreePort } from '#server/processes/ports.ts'
import { findProblem, originHere } from './check-proxy.ts'

test.each([
  ['localhost', 'http://localhost:3001'],
  ['0.0.0.0', 'http://localhost:3001'],
  ['::', 'http://localhost:3001'],
  ['10.0.0.7', 'http://10.0.0.7:3001'],
  ['fd00::7', 'http://[fd00::7]:3001'],
])('an api that listens on %s is asked at %s', (host, origin) => {
  expect(originHere({ host, port: 3001 })).toBe(origin)
  expect(URL.parse(origin)?.port).toBe('3001')
})

test('an origin that does not lead to a game has a reason, such as a proxy without an api', async () => {
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  expect(await findProblem(origin)).toBe(`connect ECONNREFUSED 127.0.0.1:${port}`)
  const answer = { status: 502, body: '<h1>Bad Gateway</h1>' }
  const proxy = createServer((_request, response) => response.writeHead(answer.status).end(answer.body))
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve))
  expect(await findProblem(origin)).toBe('it answers 502')
  Object.assign(answer, { status: 200, body: '<h1>It works!</h1>' })
  expect(await findProblem(origin)).toBe('something else answers')
  answer.body = '{"status":"ok","reserve":"covered"}'
  expect(await findProblem(origin)).toBeNull()
  proxy.closeAllConnections()
  proxy.close()
})
