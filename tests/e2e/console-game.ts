import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getBase58Decoder } from '@solana/kit'
import { RIGHTS, type Right } from '#contract/console/rights.ts'
import { cotton } from '#game/cotton.ts'
import { askLocalFaucet } from '#server/chain/ask-local-chain.ts'
import type { Address } from '#server/chain/port.ts'
import { readBoundChain } from '#server/deposits/connect-bound-chain.ts'
import { type Db, openDb } from '#server/platform/db/db.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { findRunningPostgres } from '#server/processes/postgres/postgres.ts'
import { rawSql } from '#tests/support/raw-sql.ts'
import { makeDataDir, runServer, waitFor } from '#tests/support/run-server.ts'
import { testPlayer, type TestPlayer } from '#tests/support/test-player.ts'
import { grantCredit } from '#tests/support/grant-credit.ts'
import { createFundedPlayer, type Player } from './funded-player.ts'

const SOL = 1_000_000_000n

/** The operators of the game with a console. One story has the sessions of `Zoe` to itself, another one the name `Uma`. */
export const OPERATORS: Readonly<Record<string, readonly Right[]>> = {
  Ana: RIGHTS,
  Ben: RIGHTS,
  Vera: ['view'],
  Zoe: RIGHTS,
}

/** The wallet of an operator. Its key follows from the name, so that every process of the tests has it. */
export const operatorNamed = (name: string): TestPlayer =>
  testPlayer(createHash('sha256').update(`operator ${name}`).digest())

/** Writes the operators' file of that game. */
export function nameOperators(
  { dataDir }: Pick<ConsoleGame, 'dataDir'>,
  named: Readonly<Record<string, readonly Right[]>> = OPERATORS,
): void {
  const operators = Object.entries(named).map(([name, rights]) => {
    return { name, wallet: operatorNamed(name).wallet, rights }
  })
  const file = join(dataDir, 'operators.json')
  writeFileSync(file, JSON.stringify({ operators, secondAbove: '100000' }), { mode: 0o644 })
}

/** A running game with its console. */
export type ConsoleGame = { gameUrl: string; consoleUrl: string; chainUrl: string; dataDir: string }

/** Starts a game with the rules of a public cluster, where withdrawals wait for an operator, and fills its pages. */
export async function startConsoleGame(): Promise<ConsoleGame & { stop(): Promise<void> }> {
  const { dataDir, remove } = makeDataDir()
  mkdirSync(dataDir, { recursive: true })
  nameOperators({ dataDir })
  // The chain uses the port after its own as well.
  const port = await findFreePort(4)
  const ports = { PORT: String(port), CONSOLE_PORT: String(port + 1), CHAIN_RPC_PORT: String(port + 2) }
  const server = runServer({ dataDir, env: { ...ports, CLUSTER: 'devnet', RATE_LIMITS: 'off' } })
  const game = {
    gameUrl: await server.ready,
    consoleUrl: `http://localhost:${port + 1}`,
    chainUrl: `http://127.0.0.1:${port + 2}`,
    dataDir,
  }
  const db = openGameDatabase(game)
  const stop = async () => {
    server.pressCtrlC()
    await server.ended
    remove()
    if (/not confined/.test(server.output())) throw new Error(server.output())
  }
  try {
    const bound = await waitFor('the treasury', () => readBoundChain(db))
    await sendTokens(game, { to: bound.treasury, tokens: 50_000_000, lamports: 10n * SOL })
    await fillPages({ ...game, db }, bound.mint)
  } catch (error) {
    await stop()
    throw error
  } finally {
    await db.end()
  }
  return { ...game, stop }
}

/** The database of that game, with the rights of its owner. */
export const openGameDatabase = ({ dataDir }: Pick<ConsoleGame, 'dataDir'>): Db =>
  openDb(findRunningPostgres(dataDir)!, { max: 2, applicationName: 'test', allowFullScans: true })

type Sent = { to: string; tokens: number; lamports?: bigint }

/** Sends tokens and SOL from outside the game. */
export const sendTokens = ({ chainUrl }: ConsoleGame, { to, tokens, lamports = 0n }: Sent) =>
  askLocalFaucet(chainUrl, { owner: to as Address, baseUnits: cotton(tokens), lamports })

export type OpenGame = ConsoleGame & { db: Db }

/** A player who is logged in, with this much credit from an adjustment, which needs no deposit on the chain. */
export async function createPlayer({ gameUrl, db }: OpenGame, deposited: number): Promise<Player> {
  const player = await createFundedPlayer(0, gameUrl)
  await db.transaction((tx) => grantCredit(tx, player.address, { deposited, earned: 0 }, new Date()))
  return player
}

/** Requests a withdrawal and waits until the signer has reviewed it. Returns its id. */
export async function requestWithdrawal({ db }: OpenGame, player: Player, amount: number): Promise<string> {
  // A story pauses withdrawals for a moment, for all of them.
  const id = await waitFor('an accepted request', () => tryWithdrawal(player, amount), 30_000)
  await waitForState(db, id, 'review')
  return id
}

async function tryWithdrawal(player: Player, amount: number): Promise<string | null> {
  const challenge = await player.call('POST', '/api/users/withdrawals/challenge', { amount })
  const request = async () => {
    const message = challenge.body.message!
    return player.call('POST', '/api/users/withdrawals', { amount, message, signature: player.sign(message) })
  }
  const { status, body } = challenge.status === 200 ? await request() : challenge
  if (status === 200) return (body as unknown as { withdrawal: { id: string } }).withdrawal.id
  const refusal = JSON.stringify(body)
  if (refusal.includes('withdrawals_paused')) return null
  throw new Error(refusal)
}

export type Requested = { player: Player; id: string; address: string }

/** A withdrawal in review, of a player of its own. */
export async function createWithdrawal(game: OpenGame, amount: number, left = 0): Promise<Requested> {
  const player = await createPlayer(game, amount + left)
  const id = await requestWithdrawal(game, player, amount)
  return { player, id, address: `/withdrawals/${id}` }
}

/** Waits until a withdrawal has this state in the database. */
export const waitForState = (db: Db, id: string, state: string): Promise<unknown> =>
  waitFor(
    `${state} of the withdrawal`,
    async () => {
      const [row] = await runText<{ state: string }>(db, 'select state from withdrawals where id = $1', id)
      return row?.state === state
    },
    60_000,
  )

let statements = 0

/** Runs a statement of a test. */
export const runText = <Row = unknown>(
  db: Pick<Db, 'rows'>,
  text: string,
  ...values: unknown[]
): Promise<Row[]> => db.rows(rawSql<Row>({ name: `test-console-${(statements += 1)}`, text }, values))

/** Something for every page: withdrawals in review, arrivals of every kind, journals, and the totals of 30 days. */
async function fillPages(game: OpenGame, mint: string): Promise<void> {
  const { db } = game
  const players = Array.from({ length: 30 }, () => testPlayer().wallet)
  for (const [index, wallet] of players.entries())
    await db.transaction((tx) =>
      grantCredit(tx, wallet, { deposited: 4_000 + 870 * index, earned: 120 + 35 * index }, new Date()),
    )
  await runText(
    db,
    `insert into hourly_totals (hour, players, new_players, claims, hires, parcels, resales, volume, deposited, withdrawn,
       pool, tokens, owed, database_bytes)
     select at, 40 + 30 * sin(n / 3.8), 2 + n % 5, 400 + 260 * sin(n / 3.8), 8 + n * 2 % 13, n % 4, (n + 1) % 3,
       40000000000 * (n % 3), 90000000000 * (n * 7 % 5), 60000000000 * (n * 3 % 4),
       41000000000000 - n * 9000000000, 47000000000000 - n * 8000000000, 46400000000000 - n * 8500000000, 2e7 - n * 9e3
     from generate_series(1, 720) n, lateral (select date_trunc('hour', now()) - n * interval '1 hour' as at) t
     on conflict do nothing`,
  )
  await runText(
    db,
    `insert into supply_history (at, emitted, burned, spent)
     select date_trunc('hour', now()) - n * interval '10 min', 9e12 - n * 11e8, 3e12 - n * 4e8, 44e11 - n * 5e8
     from generate_series(1, 4320) n on conflict do nothing`,
  )
  await runText(
    db,
    `insert into receipts (signature, token_account, wallet, asset, mint, amount, slot, state, why, seen_at, credited_at,
       journal_id)
     select ($2::text[])[n], ($1::text[])[n], case when kind <> 2 then ($1::text[])[n] end,
       case when kind = 1 then 'sol' else 'cotton' end, $3, 500000000 + n * 1000000, 300000 + n,
       case kind when 0 then 'credited' else 'unclaimed' end,
       case kind when 1 then 'sol' when 2 then 'of_nobody' end, at,
       case kind when 0 then at end, case kind when 0 then gen_random_uuid() end
     from generate_series(1, 15) n, lateral (select n % 3 as kind, now() - n * interval '1 hour' as at) t`,
    players,
    players.map(() => getBase58Decoder().decode(randomBytes(64))),
    mint,
  )
  await Promise.all(
    [148_000, 2_500.5, 80_000].map(async (amount) =>
      requestWithdrawal(game, await createPlayer(game, Math.ceil(amount) + 12_000), amount),
    ),
  )
}
