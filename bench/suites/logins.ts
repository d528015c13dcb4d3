import { rowOf, sql } from '#server/platform/db/db.ts'
import { testPlayer, type TestPlayer } from '#tests/support/test-player.ts'
import { openOwnerDb } from '../audit.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { sharedCpuSources, withCpuTime } from '../cpu-columns.ts'
import { EMPTY } from '../empty-route.ts'
import { openHttpConnection, type HttpConnection } from '../http-connection.ts'
import { load, type Loaded, loadOverHttp } from '../load.ts'
import { measureRounds } from '../measure-rounds.ts'
import { postRequest } from '../requests.ts'
import { prepareCluster, seedPlayers } from '../seed-players.ts'
import { startApi } from '../start-api.ts'
import { type Measured, type Run, suiteOf } from '../suite.ts'

const CLIENTS = 32
const WALLETS = 500

/** Logins over HTTP: a nonce, a signature by the load generator, and a session. */
export const logins = suiteOf('Logins', measure)

const EMPTY_ROUTE = 'an empty route of the same server'
const LOGINS = 'logins: nonce, signature and session'

async function measure({ quick, say, closers }: Run): Promise<Measured> {
  const postgres = await startBenchPostgres({ closers })
  await seedPlayers(postgres.ownerUrl)
  const owner = openOwnerDb(postgres.ownerUrl, { closers })
  const api = await startApi({ apiUrl: postgres.apiUrl, closers })
  const cpu = await sharedCpuSources(owner)
  const seconds = quick ? 1 : 3
  const players = Array.from({ length: WALLETS }, testPlayer)
  const countSessions = async () => Number((await owner.rows(countAll))[0]!.sessions)
  let known = await countSessions()
  let opened = 0
  const variants = [
    withCpuTime<Loaded>(EMPTY_ROUTE, cpu.of(api), {
      run: () =>
        loadOverHttp(api.hello, { clients: CLIENTS, seconds }, () =>
          postRequest(EMPTY.path, 1, { workerId: 'kid-00001' }),
        ),
    }),
    withCpuTime<Loaded>(LOGINS, cpu.of(api), {
      async run() {
        const connections = await Promise.all(
          Array.from({ length: CLIENTS }, () => openHttpConnection(api.hello)),
        )
        const loaded = await load({ clients: CLIENTS, seconds }, (client) =>
          logIn(connections[client]!, players[Math.floor(Math.random() * WALLETS)]!),
        )
        for (const each of connections) each.close()
        const sessions = await countSessions()
        if (sessions - known !== loaded.done)
          throw new Error(`${loaded.done} logins were answered and ${sessions - known} sessions opened`)
        known = sessions
        opened += loaded.done
        return loaded
      },
    }),
  ]
  await prepareCluster(postgres.ownerUrl)
  await measureRounds(variants, { rounds: quick ? 2 : 5, say })
  return {
    base: EMPTY_ROUTE,
    unit: 'logins',
    variants: variants.map(({ variant }) => variant),
    facts: { 'Logins at once': CLIENTS, 'Logins answered, each with a session': opened },
  }
}

const countAll = sql({
  name: 'bench-count-sessions',
  row: rowOf<{ sessions: bigint }>(),
  text: 'select count(*) as sessions from sessions',
})

async function logIn(connection: HttpConnection, { wallet, sign }: TestPlayer): Promise<boolean> {
  const { message } = await post(connection, '/api/users/nonce', { walletAddress: wallet })
  const signature = sign(String(message)).toString('base64')
  const { token } = await post(connection, '/api/users/verify-wallet', {
    walletAddress: wallet,
    message,
    signature,
  })
  if (typeof token !== 'string') throw new Error('A login was refused')
  return true
}

async function post(
  connection: HttpConnection,
  path: string,
  content: object,
): Promise<Record<string, unknown>> {
  const body = JSON.stringify(content)
  const answer = await connection.ask(
    [
      `POST ${path} HTTP/1.1`,
      'host: bench.test',
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  )
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>
}
