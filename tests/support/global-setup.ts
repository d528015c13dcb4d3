import { createAddressTemplate } from './address-template.ts'
import { NO_PGBOUNCER, startPgBouncer } from './pgbouncer.ts'
import { sharedPostgres, startTestPostgres } from './test-postgres.ts'

/** As many connections for each database and login as the pools of a test have together. */
const ENOUGH = { default_pool_size: '60', max_client_conn: '5000' }

/**
 * Vitest calls this before the first test file of each project that needs Postgres; the function that it returns runs after
 * the last file of all. All projects use the same Postgres.
 */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env.TEST_POSTGRES !== undefined) return async () => {}
  const postgres = await startTestPostgres()
  await createAddressTemplate()
  // `npm run test:pooler`
  const pooler = process.env.TEST_POOLER ? await putPoolerInFront() : null
  return async () => {
    await pooler?.stop()
    await postgres.stop()
  }
}

async function putPoolerInFront() {
  const shared = sharedPostgres()
  const pooler = await startPgBouncer({ url: shared.url, settings: ENOUGH })
  if (!pooler) throw new Error(NO_PGBOUNCER)
  const poolerPort = Number(new URL(pooler.through(shared.url)).port)
  process.env.TEST_POSTGRES = JSON.stringify({ ...shared, poolerPort })
  return pooler
}
