import type { Db } from '#server/platform/db/db.ts'
import { ask } from './money-world.ts'

/** The whole database as it is at this moment, kept beside it. */
export async function takeBackup(owner: Db): Promise<void> {
  const tables = await tablesOf(owner)
  await owner.transaction(async (tx) => {
    await ask(tx, 'set transaction isolation level repeatable read')
    await ask(tx, 'drop schema if exists backup cascade')
    await ask(tx, 'create schema backup')
    for (const name of tables) await ask(tx, `create table backup.${name} as table public.${name}`)
  })
}

/** Brings it back: whatever happened since is forgotten. */
export async function restoreBackup(owner: Db): Promise<void> {
  const tables = await tablesOf(owner)
  await owner.transaction(async (tx) => {
    await ask(tx, 'set local session_replication_role = replica')
    for (const name of tables) {
      await ask(tx, `delete from public.${name}`)
      await ask(tx, `insert into public.${name} overriding system value select * from backup.${name}`)
    }
  })
}

async function tablesOf(owner: Db): Promise<string[]> {
  const rows = await ask<{ name: string }>(
    owner,
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  return rows.map((row) => row.name)
}
