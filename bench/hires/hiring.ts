import { BUYERS, seedBuyers } from '../parcels/buyers.ts'
import type { HotRow } from '../hot-row.ts'
import { runAsOwner, walletOf } from '../players.ts'

export type Hiring = { player: number; wallet: string }

/** A player with credit, chosen by chance, who hires a kid. */
export function someHiring(): Hiring {
  const player = 1 + Math.floor(Math.random() * BUYERS)
  return { player, wallet: walletOf(player) }
}

/** Players with a session and credit for two thousand kids each, and a supply that does not end. */
export async function seedHirers(ownerUrl: string): Promise<void> {
  await seedBuyers(ownerUrl)
  await runAsOwner(ownerUrl, [
    `update worker_types set max_supply = 2000000000 where worker_type in ('kid', 'grandad')`,
  ])
}

/** The row of another type, which nobody hires: what a hire moves of it. */
export const SUPPLY_ROW: HotRow = {
  once: `update worker_types set sold = sold + 1 where worker_type = 'grandad' and sold < max_supply`,
  read: `select sold from worker_types where worker_type = 'grandad'`,
  write: `update worker_types set sold = $1 where worker_type = 'grandad'`,
  move: ([sold]) => [sold! + 1n],
}
