import { createServer, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { openHttpConnection } from './http-connection.ts'
import { suiteOf } from './suite.ts'

const never = new Promise<never>(() => {})

test('a suite that hangs is ended and its closers are called', async () => {
  const closed: string[] = []
  const hung = suiteOf(
    'hung',
    async ({ closers }) => {
      closers.push(() => closed.push('first'))
      closers.push(() => closed.push('second'))
      return never
    },
    0.001,
  )
  await expect(hung.run({ quick: true, say: () => {} })).rejects.toThrow('Not done after 0.001 minutes')
  expect(closed).toEqual(['second', 'first'])
})

test('a request that is never answered fails, and an idle connection stays open', async () => {
  const server = createServer((socket) => void socket.on('data', () => {}))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const connection = await openHttpConnection(url, 50)
  await new Promise((wait) => setTimeout(wait, 150))
  await expect(connection.send('GET / HTTP/1.1\r\n\r\n')).rejects.toThrow('No data for 0.05 s')
  await new Promise((closed) => server.close(closed))
})
