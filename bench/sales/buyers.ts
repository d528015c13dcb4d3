import { runAsOwner, seedPlayers, walletOf, walletSql } from '../seed-players.ts'

const BUYERS = 2_000

const CREDIT = 100_000_000_000_000n

export type Buyer = { player: number; wallet: string }

/** A random buyer. */
export function someBuyer(): Buyer {
  const player = 1 + Math.floor(Math.random() * BUYERS)
  return { player, wallet: walletOf(player) }
}

/** Players with a session and with credit that the ledger has booked. */
export async function seedBuyers(ownerUrl: string): Promise<void> {
  await seedPlayers(ownerUrl)
  await runAsOwner(ownerUrl, [
    `with given as (
       select uuidv7() as id, ${walletSql('player')} as wallet from generate_series(1, ${BUYERS}) as player
     ), booked as (
       insert into journals (id, wallet, kind, at, detail) select id, wallet, 'adjustment', now(), '{}' from given
     ), settled as (
       update accounts a set balance = ${CREDIT}, version = 1 from given g
       where a.wallet = g.wallet and a.class = 'deposited'
     )
     insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
     select wallet, id, 0, 'treasury'::ledger_account, ${-CREDIT}, null::bigint, null::bigint from given
     union all
     select wallet, id, 1, 'deposited', ${CREDIT}, ${CREDIT}, 1 from given`,
    'vacuum analyze',
  ])
}
