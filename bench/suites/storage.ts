import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cotton } from '#game/cotton.ts'
import { creditDeposits } from '#server/deposits/credit-deposits.ts'
import { type DepositAddress, takeDepositAddress } from '#server/deposits/take-address.ts'
import { replyOf } from '#server/platform/answer.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { withLogin } from '#server/platform/db/roles.ts'
import { createSigningRound } from '#server/signer/start-signer.ts'
import { claim } from '#server/workers/claim.ts'
import { hire } from '#server/workers/hire.ts'
import { WORLD_SEED } from '#tests/support/address-template.ts'
import { signWithdrawalRequest, submitRequests } from '#tests/support/chain-test-players.ts'
import {
  type ChainTestWorld,
  openChainTestWorldIn,
  type TestWallet,
  waitUntil,
} from '#tests/support/chain-test-world.ts'
import { grantCredit } from '#tests/support/grant-credit.ts'
import { expectCleanAudit, openOwnerDb } from '../audit.ts'
import { startBenchPostgres } from '../bench-postgres.ts'
import { keyOn } from '../requests.ts'
import { runAsOwner } from '../seed-players.ts'
import { type Measured, type Run, suiteOf } from '../suite.ts'

/** What an operation leaves in the database, with its indexes and what a vacuum cannot free. */
export const storage = suiteOf('Storage of an operation', measure)

const PLAYERS = 100

const RICH = { deposited: 0, earned: 1_000_000_000 }

/** More at once than the chain's port answers would lose connections. */
const AT_ONCE = 5

const CHAIN_LIMIT_MS = 120_000

/** Tables whose rows are deleted within days, except the keys, which are counted apart. */
const EXPIRING = ['sessions', 'nonces', 'login_failures', 'withdrawal_challenges', 'prepared_deposits']

const readSizes = sql({
  name: 'bench-storage-sizes',
  params: { expiring: 'text[]' },
  row: rowOf<{ stays: number; keys: number; wal: number }>(),
  text: ({ expiring }) =>
    `select (sum(pg_total_relation_size(oid)) filter (where relname <> 'idempotency_keys'))::float as stays,
       (sum(pg_total_relation_size(oid)) filter (where relname = 'idempotency_keys'))::float as keys,
       (pg_current_wal_insert_lsn() - '0/0')::float as wal
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> all(${expiring})`,
})

/** An operation. `act` performs it once for each player; a round does so `turns` times. */
type Operation = { what: string; turns: number; act(): Promise<void> }

type Growth = { stays: number; keys: number; wal: number }

async function measure({ quick, say, closers }: Run): Promise<Measured> {
  const { ownerUrl } = await startBenchPostgres({ closers })
  const owner = openOwnerDb(ownerUrl, { closers })
  const world = await openWorld(ownerUrl, closers)
  const rows: (string | number)[][] = []
  for (const operation of await operationsOf(world, owner)) {
    const measuring = { owner, ownerUrl, rounds: quick ? 1 : 3 }
    const { stays, keys, wal } = await growthOf(operation, measuring)
    rows.push([operation.what, kb(stays), kb(keys), kb(wal)])
    say(rows.at(-1)!.join(', '))
  }
  await expectCleanAudit(owner)
  return {
    columns: ['operation', 'kB that stay', 'kB of its key', 'kB of WAL'],
    rows,
    facts: {
      Players: PLAYERS,
      'Hires and claims': 'a hundred in a transaction',
      'Deposits and withdrawals': 'a transaction each, with those of watcher and signer',
      Vacuums: 'after each round, as autovacuum does in a game that runs for long',
    },
  }
}

const kb = (bytes: number): string => (bytes / 1000).toFixed(2)

async function openWorld(ownerUrl: string, closers: Run['closers']): Promise<ChainTestWorld> {
  const dir = mkdtempSync(join(tmpdir(), 'cotton-farm-storage-'))
  closers.push(() => rmSync(dir, { recursive: true, force: true }))
  const urlFor: ChainTestWorld['urlFor'] = (name) => withLogin(ownerUrl, { name, password: 'bench' })
  const world = await openChainTestWorldIn({ dir, database: { url: ownerUrl, urlFor }, seed: WORLD_SEED })
  closers.push(() => world.close())
  return world
}

type Measuring = { owner: Db; ownerUrl: string; rounds: number }

/** What an operation adds, after a first round in which files get their first pages. */
async function growthOf({ turns, act }: Operation, { owner, ownerUrl, rounds }: Measuring): Promise<Growth> {
  const read = async () => (await owner.rows(readSizes, { expiring: EXPIRING }))[0]!
  let wal = 0
  const round = async (): Promise<void> => {
    const from = (await read()).wal
    for (let turn = 0; turn < turns; turn++) await act()
    wal += (await read()).wal - from
    await runAsOwner(ownerUrl, ['vacuum'])
  }
  await round()
  wal = 0
  const before = await read()
  for (let done = 0; done < rounds; done++) await round()
  const after = await read()
  const count = rounds * turns * PLAYERS
  return {
    stays: (after.stays - before.stays) / count,
    keys: (after.keys - before.keys) / count,
    wal: wal / count,
  }
}

async function operationsOf(world: ChainTestWorld, owner: Db): Promise<Operation[]> {
  await owner.rows(
    sql({ name: 'bench-storage-supply', text: 'update worker_types set max_supply = 2000000000' }),
  )
  const signerRound = createSigningRound(await world.newSigner())
  const players: TestWallet[] = []
  while (players.length < PLAYERS) players.push(await createPlayer(world))
  const workers = new Map<TestWallet, string>()
  const addresses = await Promise.all(players.map((player) => addressOf(world, player)))
  const forAll = <T>(request: (player: TestWallet) => T): T[] => players.map(request)
  return [
    {
      what: 'hire',
      turns: 10,
      async act() {
        const key = () => keyOn('/api/workers/purchase')
        const hires = forAll(({ address }) => ({ wallet: address, workerType: 'kid' as const, key: key() }))
        const answers = await world.api.transaction((tx) => hire(tx, hires, world.clock))
        for (const [at, answer] of answers.entries())
          workers.set(players[at]!, replyOf(answer).worker.workerId)
      },
    },
    {
      what: 'claim',
      turns: 10,
      async act() {
        world.clock.skip(3_600_000)
        const key = () => keyOn('/api/workers/claim')
        const claims = forAll((player) => ({
          wallet: player.address,
          workerId: workers.get(player)!,
          key: key(),
        }))
        for (const answer of await world.api.transaction((tx) => claim(tx, claims, world.clock)))
          replyOf(answer)
      },
    },
    {
      what: 'deposit',
      turns: 1,
      act: () => depositForAll(world, { players, addresses, owner, signerRound }),
    },
    {
      what: 'withdrawal',
      turns: 1,
      async act() {
        const requests = await Promise.all(
          forAll(async (player) => ({
            ...(await signWithdrawalRequest(world, player, cotton(2))),
            key: keyOn('/api/users/withdrawals'),
          })),
        )
        for (const answer of await submitRequests(world, requests)) replyOf(answer)
        await runRounds(signerRound, async () => (await owner.rows(countOpen))[0]!.count === 0)
      },
    },
  ]
}

async function createPlayer(world: ChainTestWorld): Promise<TestWallet> {
  const wallet = await world.wallet()
  await world.owner.transaction((tx) => grantCredit(tx, wallet.address, RICH, world.clock.now()))
  return wallet
}

async function addressOf(world: ChainTestWorld, { address: wallet }: TestWallet): Promise<DepositAddress> {
  return (await takeDepositAddress(world.api, { wallet, now: world.clock.now() }))!
}

const countOpen = sql({
  name: 'bench-storage-open',
  row: rowOf<{ count: number }>(),
  text: 'select count(*)::int as count from withdrawals where settled_at is null',
})

const countUnswept = sql({
  name: 'bench-storage-unswept',
  row: rowOf<{ count: number }>(),
  text: `select ((select sum(amount) from receipts) > coalesce((select sum(amount) from sweeps where state = 'finalized'), 0))::int
    as count`,
})

type Depositing = {
  players: readonly TestWallet[]
  addresses: readonly DepositAddress[]
  owner: Db
  signerRound: () => Promise<void>
}

/** Deposits of all players, credited and swept one by one, as if they were days apart. */
async function depositForAll(
  world: ChainTestWorld,
  { players, addresses, owner, signerRound }: Depositing,
): Promise<void> {
  const deps = { db: world.watcher, chain: world.chain, clock: world.clock }
  const left = [...players.keys()]
  const work = async (): Promise<void> => {
    for (let at = left.shift(); at !== undefined; at = left.shift()) {
      const [player, address] = [players[at]!, addresses[at]!]
      await world.waitUntilFinal(await world.gift(player.address, cotton(2)))
      await world.waitUntilFinal(await world.transfer(player, address.owner, cotton(2)))
      await creditDeposits(deps, address)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  await runRounds(signerRound, async () => (await owner.rows(countUnswept))[0]!.count === 0)
}

const runRounds = (round: () => Promise<void>, isOver: () => Promise<boolean>): Promise<void> =>
  waitUntil(async () => (await round(), isOver()), CHAIN_LIMIT_MS)
