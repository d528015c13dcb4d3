import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from '@solana/kit'
import { pino } from 'pino'
import { baseUnits, type Cotton } from '#game/cotton.ts'
import { askLocalFaucet } from '#server/chain/ask-local-chain.ts'
import { startLocalChain } from '#local-chain/run-local-chain.ts'
import { Store } from '#local-chain/store.ts'
import type { Chain, Signature } from '#server/chain/port.ts'
import { connectChain } from '#server/chain/solana.ts'
import { buildTransfer } from '#server/chain/transactions.ts'
import { renewAddressOffer } from '#server/deposits/retire-addresses.ts'
import { verifyLedger } from '#server/ledger/verify-ledger.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, openDb, type Queryable } from '#server/platform/db/db.ts'
import { auditTotals } from '#server/solvency/audit-totals.ts'
import { NO_OPERATORS } from '#server/operators/read-operators.ts'
import { createKeyRing } from '#server/signer/keys/key-ring.ts'
import { openSigner, type Signer } from '#server/signer/signer.ts'
import { prepareSigner } from '#server/signer/start-signer.ts'
import { ADDRESS_TEMPLATE, WORLD_MINT_KEY, WORLD_SEED } from './address-template.ts'
import { rawSql } from './raw-sql.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'
import { testPlayer } from './test-player.ts'

export const SITE = {
  product: 'Cotton Farm',
  host: 'farm.test',
  uri: 'http://farm.test',
  chainId: 'solana:localnet',
}

const DAY_MS = 24 * 60 * 60_000
/** Longer than any test takes. */
const TEST_MS = 60 * 60_000

/** A wallet of the tests: its address, and what its owner can sign. */
export type TestWallet = {
  address: string
  signer: KeyPairSigner
  /** A base64 signature over a text, as a wallet sends it. */
  sign(text: string): Promise<string>
  signBytes(bytes: Uint8Array): Promise<Uint8Array>
}

/** A database with one connection pool for each login, and its own local chain. */
export type ChainTestWorld = {
  owner: Db
  ownerUrl: string
  urlFor: FreshDatabase['urlFor']
  api: Db
  apiDeps: { db: Db; clock: Clock }
  watcher: Db
  signer: Db
  chain: Chain
  rpcUrl: string
  clock: Clock & { skip(ms: number): void }
  /**
   * Skips whole days, and the rest of a UTC day that would end during the test. The free deposit addresses stay valid, as if
   * a signer had run all the time.
   */
  skipDays(count: number): Promise<void>
  log: Signer['log']
  /** The operators of its signers, if a test names some. */
  operators?: Signer['operators']
  /** Where their files are. */
  operatorsFolder?: string
  /** A signer that has just started, with the keys of this world. */
  newSigner(chain?: Chain): Promise<Signer>
  wallet(): Promise<TestWallet>
  gift(owner: string, amount: Cotton): Promise<Signature>
  /** Sends tokens from a wallet to an owner's token account, as any wallet app does. */
  transfer(from: TestWallet, to: string, amount: Cotton): Promise<Signature>
  tokenBalanceOf(owner: string): Promise<bigint>
  waitUntilFinal(signature: Signature): Promise<void>
  audit(): ReturnType<typeof verifyLedger>
  close(): Promise<void>
}

/**
 * Opens a database, a local chain and their connections for one test file. Free deposit addresses exist, as if a signer
 * had just created them, unless the test starts its signer `later`.
 */
export async function openChainTestWorld(of: { signer: 'first' | 'later' }): Promise<ChainTestWorld> {
  const dir = mkdtempSync(join(tmpdir(), 'cotton-farm-money-'))
  storeMintKey(dir)
  const database = await freshDatabase(of.signer === 'first' ? ADDRESS_TEMPLATE : undefined)
  const world = await openChainTestWorldIn({ dir, database, seed: WORLD_SEED })
  if (of.signer === 'first') await world.owner.transaction((tx) => renewAddressOffer(tx, world.clock.now()))
  return {
    ...world,
    async close() {
      await world.close()
      await database.drop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

function storeMintKey(dir: string): void {
  const store = new Store(dir)
  store.readOrCreateBytes('mint key', () => WORLD_MINT_KEY)
  store.close()
}

type WorldFolder = {
  /** Where the chain is stored. */
  dir: string
  database: Pick<FreshDatabase, 'url' | 'urlFor'>
  seed: Uint8Array
}

/** Opens a chain in a folder, and connections to a database that stays. */
export async function openChainTestWorldIn({ dir, database, seed }: WorldFolder): Promise<ChainTestWorld> {
  // Short, because tests wait for finality. A blockhash is valid for 150 slots, which outlasts a pause of a busy machine.
  const local = await startLocalChain({ dir, port: 0, slotMs: 20, finalDepth: 4 })
  const [api, watcher, signerDb] = (['api', 'watcher', 'signer'] as const).map((role) =>
    openDb(database.urlFor(role), { max: 20, applicationName: `test-${role}` }),
  ) as [Db, Db, Db]
  const owner = openDb(database.url, { max: 4, applicationName: 'test-owner' })
  const chain = await connectChain({ isOwnChain: true, rpcUrls: [local.url] })
  const keys = await createKeyRing(seed)
  const log = pino({ level: 'silent' })
  let skippedMs = 0
  const clock = {
    now: () => new Date(Date.now() + skippedMs),
    skip: (ms: number) => void (skippedMs += ms),
  }
  const give = (to: string, units: bigint, lamports: bigint) =>
    askLocalFaucet(local.url, { owner: to as KeyPairSigner['address'], baseUnits: units, lamports })

  return {
    owner,
    ownerUrl: database.url,
    urlFor: (role) => database.urlFor(role),
    api,
    apiDeps: { db: api, clock },
    watcher,
    signer: signerDb,
    chain,
    rpcUrl: local.url,
    clock,
    skipDays: (count) => {
      clock.skip(count * DAY_MS)
      const leftMs = DAY_MS - (clock.now().getTime() % DAY_MS)
      if (leftMs < TEST_MS) clock.skip(leftMs)
      return owner.transaction((tx) => renewAddressOffer(tx, clock.now()))
    },
    log,
    async newSigner(this: ChainTestWorld, over = chain) {
      // A test may claim another cluster than the database was bound to.
      await runQuery(
        owner,
        `update settings set value = value || jsonb_build_object('cluster', $1::text) where name = 'chain'`,
        [over.facts.cluster],
      )
      const operators = this.operators ?? (() => NO_OPERATORS)
      const signer = await openSigner({ db: signerDb, chain: over, clock, log, keys, site: SITE, operators })
      await prepareSigner(signer, { localRpcUrl: local.url })
      return signer
    },
    async wallet() {
      const wallet = await newWallet()
      await give(wallet.address, 0n, 1_000_000_000n)
      return wallet
    },
    gift: async (to, amount) => (await give(to, amount, 0n))[0]!,
    async transfer(from, to, amount) {
      const { wire, message } = await buildTransfer({
        token: chain.facts,
        wallet: from.signer.address,
        depositOwner: to as KeyPairSigner['address'],
        amount,
        reference: randomBytes(8).toString('hex'),
        lifetime: await chain.latestBlockhash('confirmed'),
      })
      const sent = await chain.send(await signWire(from, wire, Uint8Array.from(message)))
      if (sent.state !== 'accepted') throw new Error(`not sent: ${JSON.stringify(sent)}`)
      return sent.signature
    },
    tokenBalanceOf: async (of) =>
      chain.tokenBalance(await chain.tokenAccountOf(of as KeyPairSigner['address']), 'finalized'),
    waitUntilFinal: (signature) =>
      waitUntil(async () => (await chain.statuses([signature]))[0]?.commitment === 'finalized'),
    audit: async () => [...(await verifyLedger(owner)), ...(await auditTotals(owner))],
    async close() {
      await Promise.all([api, watcher, signerDb, owner].map((db) => db.end()))
      await local.stop()
    },
  }
}

/** A wallet without tokens and SOL. */
export async function newWallet(): Promise<TestWallet> {
  const key = Uint8Array.from(randomBytes(32))
  const signer = await createKeyPairSignerFromPrivateKeyBytes(key)
  const player = testPlayer(key)
  const signBytes = async (bytes: Uint8Array) => player.sign(bytes)
  const sign = async (text: string) => player.sign(text).toString('base64')
  return { address: signer.address, signer, signBytes, sign }
}

/** Inserts the wallet's signature into a transaction of which it is the only signer. */
export async function signWire(wallet: TestWallet, wire: string, message: Uint8Array) {
  const bytes = Buffer.from(wire, 'base64')
  Buffer.from(await wallet.signBytes(message)).copy(bytes, 1)
  return bytes.toString('base64') as Parameters<Chain['send']>[0]
}

/** Waits until a condition holds. Rejects after `limitMs`. */
export async function waitUntil(condition: () => Promise<boolean>, limitMs = 60_000): Promise<void> {
  const end = Date.now() + limitMs
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('the condition did not hold in time')
    await sleep(20)
  }
}

let statementCount = 0

/** Runs one statement of a test and returns its rows. */
export function runQuery<Row>(db: Queryable, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return db.rows(rawSql<Row>({ name: `test-${++statementCount}`, text }, values))
}

/** The credit of a wallet in the ledger, in base units. */
export async function readCreditOf(db: Db, wallet: string): Promise<{ deposited: Cotton; earned: Cotton }> {
  const rows = await runQuery<{ class: 'deposited' | 'earned'; balance: bigint }>(
    db,
    'select class::text, balance from accounts where wallet = $1',
    [wallet],
  )
  const of = (name: string) => baseUnits(rows.find((row) => row.class === name)?.balance ?? 0n)
  return { deposited: of('deposited'), earned: of('earned') }
}
