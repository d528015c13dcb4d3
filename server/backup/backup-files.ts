import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from './manifest.ts'

/** `cotton-farm-<world>-<moment>.tar.zst`, with `.age` if it is encrypted. Sorted by name, the newest is last. */
const NAME = /^cotton-farm-([0-9a-f]{8}|unbound)-\d{8}T\d{6}Z\.tar\.zst(\.age)?$/

/** Several games may share a folder, so the names contain the world. */
function worldName(world: World | null): string {
  if (world === null) return 'unbound'
  return createHash('sha256').update(`${world.genesisHash} ${world.treasury}`).digest('hex').slice(0, 8)
}

export function backupFileName({
  world,
  at,
  encrypted,
}: {
  world: World | null
  at: Date
  encrypted: boolean
}) {
  const time = `${at.toISOString().replaceAll(/[-:]/g, '').slice(0, 15)}Z`
  return `cotton-farm-${worldName(world)}-${time}.tar.zst${encrypted ? '.age' : ''}`
}

/** The file that an operator named, or one in the folder that they named. */
export const resolveBackupFile = (path: string, name: string): string =>
  existsSync(path) && statSync(path).isDirectory() ? join(path, name) : path

/**
 * Removes the oldest backups of this world, so that `count` stay. The one that was just made and checked always stays.
 * Those of a time that has not come are removed first: a clock that was ahead has named them, and until that time the later
 * ones would be removed instead. Returns the names of those removed.
 */
export function pruneBackups(dir: string, { world, count, newest, now }: PruneOptions): string[] {
  const own = readdirSync(dir).filter((name) => NAME.exec(name)?.[1] === worldName(world))
  const others = own.filter((name) => name !== newest).toSorted()
  const present = backupFileName({ world, at: now, encrypted: true })
  const inOrder = [...others.filter((name) => name > present), ...others.filter((name) => name <= present)]
  const surplus = inOrder.slice(0, Math.max(0, inOrder.length - (count - 1)))
  for (const name of surplus) rmSync(join(dir, name))
  return surplus
}

type PruneOptions = { world: World | null; count: number; newest: string; now: Date }

/**
 * Removes what killed backups of this world have left in a folder. The caller has made sure that none of this world runs;
 * one of another world may.
 */
export function removePartialBackups(dir: string, world: World | null): void {
  for (const name of readdirSync(dir)) {
    const backup = name.replace(/\.partial(\.chain(-journal)?)?$/, '')
    if (backup !== name && NAME.exec(backup)?.[1] === worldName(world)) rmSync(join(dir, name))
  }
}
