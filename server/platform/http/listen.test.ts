import { type AddressInfo, createServer } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { PassingStartupError, StartupError } from '#server/platform/startup-error.ts'
import { createHttpServer } from './http-server.ts'
import { listen } from './listen.ts'

const log = pino({ level: 'silent' })

async function failToListen(address: { host: string; port: number }): Promise<unknown> {
  const app = await createHttpServer(
    { publicUrl: 'http://farm.test', trustProxy: false, limited: false },
    log,
  )
  const failure = await listen(app, { ...address, settings: ['PORT', 'HOST'] }, log).catch(
    (error: unknown) => error,
  )
  await app.close()
  return failure
}

test.each(['localhost', '127.0.0.1'])(
  'a port that is taken on %s is named with its setting',
  async (host) => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    // The other program may be an api that has not ended yet.
    expect(await failToListen({ host, port })).toStrictEqual(
      new PassingStartupError(
        `Port ${port} is already taken: stop the program that uses it, or set PORT to another port.`,
      ),
    )
    other.close()
  },
)

test('an address of another machine is named with both settings', async () => {
  expect(await failToListen({ host: '192.0.2.1', port: 0 })).toStrictEqual(
    new StartupError('The address 192.0.2.1, port 0 cannot be used (EADDRNOTAVAIL): check PORT and HOST.'),
  )
})
