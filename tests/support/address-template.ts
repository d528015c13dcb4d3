import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit'
import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { openDb } from '#server/platform/db/db.ts'
import { withDatabase } from '#server/processes/postgres/postgres.ts'
import { createKeyRing } from '#server/signer/keys/key-ring.ts'
import { rawSql } from './raw-sql.ts'
import { runStatements, sharedPostgres } from './test-postgres.ts'

/** A migrated database that already contains the free deposit addresses of a chain test world. */
export const ADDRESS_TEMPLATE = 'template_addresses'

/** The signer's seed in every chain test world, so that addresses are derived once per run and not in every file. */
export const WORLD_SEED = Uint8Array.from({ length: 64 }, (_, at) => at + 1)

/** The private key of the test mint in every chain test world: token accounts derive from it. */
export const WORLD_MINT_KEY = Uint8Array.from({ length: 32 }, (_, at) => at + 101)

/** So many that a signer creates no more, unless a test uses more than fifty. */
const FREE_ADDRESSES = 200

// Tests insert addresses with low indexes, and the signer creates some with far higher ones.
const FIRST_INDEX = 1_000_000

/** Creates the template. Vitest's global setup calls it once. */
export async function createAddressTemplate(): Promise<void> {
  const { url, template } = sharedPostgres()
  await runStatements(url, `create database ${ADDRESS_TEMPLATE} template ${template} strategy file_copy`)
  const keys = await createKeyRing(WORLD_SEED)
  const { address: mint } = await createKeyPairSignerFromPrivateKeyBytes(WORLD_MINT_KEY)
  const db = openDb(withDatabase(url, ADDRESS_TEMPLATE), { max: 1, applicationName: 'address-template' })
  try {
    for (let index = FIRST_INDEX; index < FIRST_INDEX + FREE_ADDRESSES; index++) {
      const owner = await keys.depositAddress(index)
      const [account] = await findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS })
      const text = 'insert into deposit_addresses (index, owner, token_account) values ($1, $2, $3)'
      await db.rows(rawSql({ name: 'template-address', text }, [index, owner, account]))
    }
  } finally {
    await db.end()
  }
}
