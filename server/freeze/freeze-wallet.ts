import { type Answer, refused } from '#server/platform/answer.ts'
import { boundedName } from '#server/platform/db/bounded-name.ts'
import { type Queryable, rowOf, sql, type Tx } from '#server/platform/db/db.ts'

/** Why a wallet is frozen, since when, and who froze it. Its player reads the reason. An act that lifts it names the id. */
export type Freeze = { id: string; wallet: string; reason: string; who: string; since: Date }

const freeze = sql({
  name: 'freeze-freeze',
  params: { wallet: 'text', reason: 'text', who: 'text', now: 'timestamptz' },
  row: rowOf<{ done: boolean }>(),
  text: ({ wallet, reason, who, now }) =>
    `select freeze_wallet(${wallet}, ${reason}, ${who}, ${now}) as done`,
})

const unfreeze = sql({
  name: 'freeze-unfreeze',
  params: { wallet: 'text' },
  row: rowOf<{ done: boolean }>(),
  text: ({ wallet }) => `select unfreeze_wallet(${wallet}) as done`,
})

const COLUMNS = `id, wallet, reason, ${boundedName('who')} as who, at as since`

const readFreezesOf = sql({
  name: 'freeze-read',
  params: { wallets: 'text[]' },
  row: rowOf<Freeze>(),
  text: ({ wallets }) => `select ${COLUMNS} from frozen_wallets where wallet = any(${wallets})`,
})

const readAll = sql({
  name: 'freeze-read-all',
  row: rowOf<Freeze>(),
  text: `select ${COLUMNS} from frozen_wallets order by at, wallet`,
})

/**
 * Freezes a wallet: from the commit on its player moves no value. Waits for the wallet's actions in flight. Returns false
 * if it was already frozen; nothing changes then. Requires the login of the owner or of the console.
 */
export async function freezeWallet(
  tx: Tx,
  { wallet, reason, who, now }: { wallet: string; reason: string; who: string; now: Date },
): Promise<boolean> {
  return (await tx.rows(freeze, { wallet, reason, who, now }))[0]!.done
}

/**
 * Unfreezes a wallet. The signer reviews its withdrawals that waited only for this again, in its next round. Returns false
 * if it was not frozen. Requires the login of the owner or of the signer.
 */
export async function unfreezeWallet(tx: Tx, { wallet }: { wallet: string }): Promise<boolean> {
  return (await tx.rows(unfreeze, { wallet }))[0]!.done
}

/** The freezes of those of these wallets that are frozen. */
export async function readFreezes(
  db: Queryable,
  wallets: readonly string[],
): Promise<ReadonlyMap<string, Freeze>> {
  const rows = await db.rows(readFreezesOf, { wallets: [...new Set(wallets)] })
  return new Map(rows.map((row) => [row.wallet, row]))
}

/** Why a wallet is frozen; null if it is not. */
export async function readFreeze(db: Queryable, wallet: string): Promise<Freeze | null> {
  return (await readFreezes(db, [wallet])).get(wallet) ?? null
}

/** What an action of a frozen wallet is refused with. */
export const refuseFrozen = ({ reason, since }: Freeze): Answer<never, 'wallet_frozen'> =>
  refused('wallet_frozen', { reason, since: since.toISOString() })

/** All frozen wallets, the longest frozen first. */
export function listFreezes(db: Queryable): Promise<Freeze[]> {
  return db.rows(readAll)
}
