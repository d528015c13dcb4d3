import { randomBytes, randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { systemClock } from '#server/platform/clock.ts'
import { openDb } from '#server/platform/db/db.ts'
import { claim } from '#server/workers/claim.ts'
import { PLAYERS, walletSql, workerOf } from '../players.ts'

/** The base where there is no pgbench: the very transaction by node-postgres, without HTTP and sessions. */
export async function claimInProcess(
  apiUrl: string,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<{ paid: number; seconds: number }> {
  const wallets = await readWallets(apiUrl)
  const db = openDb(apiUrl, { max: clients, applicationName: 'bench-base' })
  let paid = 0
  const from = performance.now()
  const until = from + seconds * 1000
  const claimInTurn = async () => {
    while (performance.now() < until) {
      const player = 1 + Math.floor(Math.random() * PLAYERS)
      const key = { route: '/api/workers/claim', key: randomUUID(), bodyHash: randomBytes(32) }
      const asked = { wallet: wallets[player - 1]!, workerId: workerOf(player), key }
      const [answer] = await db.transaction((tx) => claim(tx, [asked], systemClock))
      if (answer && 'reply' in answer) paid++
    }
  }
  await Promise.all(Array.from({ length: clients }, claimInTurn))
  const took = (performance.now() - from) / 1000
  await db.end()
  return { paid, seconds: took }
}

async function readWallets(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ wallet: string }>(
    `select ${walletSql('player')} as wallet from generate_series(1, ${PLAYERS}) as player order by player`,
  )
  await client.end()
  return rows.map(({ wallet }) => wallet)
}
