import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getBase58Decoder } from '@solana/kit'
import { depositLines, fundingLines } from '#game/credit.ts'
import { deriveKey } from '#server/signer/keys/keys.ts'
import type { Address } from '#server/chain/port.ts'
import { openBook } from '#server/ledger/book.ts'
import { openDb, sql } from '#server/platform/db/db.ts'
import { Database } from './database.ts'
import { CREDIT, type FirstAccounts, makeFirstAccounts, POOL, SIGNER_SEED } from './first-accounts.ts'
import { ForkingChain } from './forking-chain.ts'
import { tokensOf } from './transfers.ts'
import { START } from './world.ts'

const ADDRESSES = 4

/** What all worlds of a run stand on, one after the other: a database, a virtual machine, and who there is at first. */
export type Ground = {
  database: Database
  chain: ForkingChain
  first: FirstAccounts
  genesisHash: string
  /** What the signer keeps outside the database is in here. */
  folder: string
  reset(): Promise<void>
  treasuryTokens: Address
  tokensOf(wallet: string): Address
  close(): Promise<void>
}

export async function prepareGround(): Promise<Ground> {
  const first = await makeFirstAccounts()
  const database = await Database.open()
  await writeFirstRows(database, first)
  const holders = [first.treasury, ...first.players]
  const tokens = new Map<string, Address>()
  for (const { address } of holders) tokens.set(address, await tokensOf(first.mint, address))
  const folder = mkdtempSync(join(tmpdir(), 'cotton-farm-simulation-'))
  return {
    database,
    first,
    folder,
    async reset() {
      rmSync(folder, { recursive: true, force: true })
      await database.reset()
    },
    chain: new ForkingChain(first.accounts),
    genesisHash: getBase58Decoder().decode(createHash('sha256').update('simulated').digest()),
    treasuryTokens: tokens.get(first.treasury.address)!,
    tokensOf: (wallet) => tokens.get(wallet)!,
    async close() {
      rmSync(folder, { recursive: true, force: true })
      await database.close()
    },
  }
}

/** A farm that is funded, with deposit addresses ready, where each player has one worker. */
async function writeFirstRows(database: Database, { mint, players, lane }: FirstAccounts): Promise<void> {
  const db = openDb(database.ownerUrl, { max: 1, applicationName: 'simulation' })
  const at = new Date(START)
  try {
    await db.transaction(async (tx) => {
      const wallets = players.map((player) => player.address)
      const book = await openBook(tx, wallets)
      book.post({ wallet: 'operator', kind: 'funding', at, detail: {}, lines: fundingLines(POOL) })
      for (const wallet of wallets)
        book.post({ wallet, kind: 'adjustment', at, detail: {}, lines: depositLines(wallet, CREDIT) })
      await book.close()
      await tx.rows(
        sql('simulation-funded', `insert into settings (name, value, at) values ('pool_funded', '{}', $1)`),
        [at],
      )
      await tx.rows(
        sql(
          'simulation-offer',
          `insert into settings (name, value, at) values ('addresses_offered', '{}', $1)`,
        ),
        [at],
      )
      await tx.rows(sql('simulation-lane', 'insert into lanes (lane, nonce_account) values (1, $1)'), [lane])
      const owners = await Promise.all(
        Array.from({ length: ADDRESSES }, (_, i) => deriveKey(SIGNER_SEED, i + 1)),
      )
      for (const [i, { address }] of owners.entries())
        await tx.rows(
          sql(
            'simulation-address',
            'insert into deposit_addresses (index, owner, token_account) values ($1, $2, $3)',
          ),
          [i + 1, address, await tokensOf(mint, address)],
        )
      for (const address of wallets)
        await tx.rows(
          sql(
            'simulation-worker',
            `insert into workers (wallet, worker_id, worker_type, rate_per_hour, since, purchased_at)
             values ($1, 'kid-1', 'kid', 5000, $2, $2)`,
          ),
          [address, at],
        )
    })
  } finally {
    await db.end()
  }
  await database.keepAsFirst()
}
