import type { Db } from '#server/platform/db/db.ts'
import { runQuery } from './chain-test-world.ts'

/** Copies the whole database. */
export async function takeBackup(owner: Db): Promise<void> {
  const tables = await listTables(owner)
  await owner.transaction(async (tx) => {
    await runQuery(tx, 'set transaction isolation level repeatable read')
    await runQuery(tx, 'drop schema if exists backup cascade')
    await runQuery(tx, 'create schema backup')
    for (const name of tables) await runQuery(tx, `create table backup.${name} as table public.${name}`)
  })
}

/** Restores the copy. Everything since is lost. */
export async function restoreBackup(owner: Db): Promise<void> {
  const tables = await listTables(owner)
  await owner.transaction(async (tx) => {
    await runQuery(tx, 'set local session_replication_role = replica')
    for (const name of tables) {
      await runQuery(tx, `delete from public.${name}`)
      await runQuery(tx, `insert into public.${name} overriding system value select * from backup.${name}`)
    }
  })
}

async function listTables(owner: Db): Promise<string[]> {
  const rows = await runQuery<{ name: string }>(
    owner,
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  return rows.map((row) => row.name)
}
