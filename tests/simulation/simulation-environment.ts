import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getBase58Decoder } from '@solana/kit'
import { depositEntries, fundingEntries } from '#game/credit.ts'
import { deriveKey } from '#server/signer/keys/derive-keys.ts'
import type { Address } from '#server/chain/port.ts'
import { renewAddressOffer } from '#server/deposits/retire-addresses.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { openDb, sql } from '#server/platform/db/db.ts'
import { Database } from './database.ts'
import {
  INITIAL_CREDIT,
  type GenesisAccounts,
  createGenesisAccounts,
  POOL,
  SIGNER_SEED,
} from './genesis-accounts.ts'
import { ForkingChain } from './forking-chain.ts'
import { tokenAccountOf } from './test-transfers.ts'
import { START } from './simulated-world.ts'

const ADDRESS_COUNT = 4

/** What all worlds of a run share, one after the other: a database, a virtual machine and the genesis accounts. */
export type SimulationEnvironment = {
  database: Database
  chain: ForkingChain
  genesis: GenesisAccounts
  genesisHash: string
  /** The signer's data folder. */
  folder: string
  reset(): Promise<void>
  treasuryTokens: Address
  tokenAccountOf(wallet: string): Address
  close(): Promise<void>
}

export async function prepareEnvironment(): Promise<SimulationEnvironment> {
  const genesis = await createGenesisAccounts()
  const database = await Database.open()
  await writeInitialRows(database, genesis)
  const holders = [genesis.treasury, ...genesis.players]
  const tokenAccounts = new Map<string, Address>()
  for (const { address } of holders) tokenAccounts.set(address, await tokenAccountOf(genesis.mint, address))
  const folder = mkdtempSync(join(tmpdir(), 'cotton-farm-simulation-'))
  return {
    database,
    genesis,
    folder,
    async reset() {
      rmSync(folder, { recursive: true, force: true })
      await database.reset()
    },
    chain: new ForkingChain(genesis.accounts),
    genesisHash: getBase58Decoder().decode(createHash('sha256').update('simulated').digest()),
    treasuryTokens: tokenAccounts.get(genesis.treasury.address)!,
    tokenAccountOf: (wallet) => tokenAccounts.get(wallet)!,
    async close() {
      rmSync(folder, { recursive: true, force: true })
      await database.close()
    },
  }
}

/** Prepares a funded game with free deposit addresses, in which each player has one worker. */
async function writeInitialRows(database: Database, { mint, players, lane }: GenesisAccounts): Promise<void> {
  const db = openDb(database.ownerUrl, { max: 1, applicationName: 'simulation' })
  const at = new Date(START)
  try {
    await db.transaction(async (tx) => {
      const wallets = players.map((player) => player.address)
      const ledger = await openLedger(tx, wallets)
      ledger.post({ wallet: 'operator', kind: 'funding', at, detail: {}, entries: fundingEntries(POOL) })
      for (const wallet of wallets)
        ledger.post({
          wallet,
          kind: 'adjustment',
          at,
          detail: {},
          entries: depositEntries(wallet, INITIAL_CREDIT),
        })
      ledger.write()
      await tx.rows(
        sql({
          name: 'simulation-funded',
          params: { at: 'timestamptz' },
          text: ({ at }) => `insert into settings (name, value, at) values ('pool_funded', '{}', ${at})`,
        }),
        { at },
      )
      await renewAddressOffer(tx, at)
      await tx.rows(
        sql({
          name: 'simulation-lane',
          params: { lane: 'text' },
          text: ({ lane }) => `insert into lanes (lane, nonce_account) values (1, ${lane})`,
        }),
        { lane },
      )
      const owners = await Promise.all(
        Array.from({ length: ADDRESS_COUNT }, (_, i) => deriveKey(SIGNER_SEED, i + 1)),
      )
      for (const [i, { address }] of owners.entries())
        await tx.rows(
          sql({
            name: 'simulation-address',
            params: { index: 'integer', owner: 'text', tokenAccount: 'text' },
            text: ({ index, owner, tokenAccount }) =>
              `insert into deposit_addresses (index, owner, token_account) values (${index}, ${owner}, ${tokenAccount})`,
          }),
          { index: i + 1, owner: address, tokenAccount: await tokenAccountOf(mint, address) },
        )
      for (const address of wallets)
        await tx.rows(
          sql({
            name: 'simulation-worker',
            params: { address: 'text', at: 'timestamptz' },
            text: ({ address, at }) =>
              `insert into workers (wallet, worker_id, worker_type, rate_per_hour, since, purchased_at)
               values (${address}, 'kid-1', 'kid', 5000, ${at}, ${at})`,
          }),
          { address, at },
        )
    })
  } finally {
    await db.end()
  }
  await database.saveInitialState()
}
