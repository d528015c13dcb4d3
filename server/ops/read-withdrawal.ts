import type { Credit } from '#game/credit.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { UUID } from '#server/signer/acts/find-withdrawal.ts'

const readOne = sql({
  name: 'operator-read-withdrawal',
  params: { id: 'uuid' },
  row: rowOf<Credit & { id: string; wallet: string }>(),
  text: ({ id }) => `select id::text, wallet, deposited, earned from withdrawals where id = ${id}`,
})

/** The wallet and amount of a withdrawal. Throws a `StartupError` if it does not exist. */
export async function readWithdrawal(
  db: Queryable,
  id: string,
): Promise<Credit & { id: string; wallet: string }> {
  const [found] = UUID.test(id) ? await db.rows(readOne, { id }) : []
  if (!found) throw new StartupError(`There is no withdrawal ${id}.`)
  return found
}
