import { setTimeout as sleep } from 'node:timers/promises'
import { withDb } from '#tests/cluster/played-game.ts'
import { readState } from '#tests/cluster/stored-state.ts'
import { formatUnits, units } from '#tests/histories/history.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'

/** What the faucet gives a wallet. */
const FAUCET = units(1_000_000)
const SETTLE_MS = 180_000

const countOpen = sql({
  name: 'test-count-open',
  row: rowOf<{ open: bigint }>(),
  text: `select (select count(*) from withdrawals where state not in ('finalized', 'refunded'))
    + (select count(*) from receipts where state = 'pending') as open`,
})

type Where = { databaseUrl: string; url: string; chainUrl: string }

/**
 * Waits until every withdrawal is paid or refunded, and compares the wallets on the chain with what is stored: a deposit
 * that the chain forgot and a withdrawal that was paid twice, never or although it was cancelled are a difference.
 */
export async function checkTokens(game: Where, wallets: readonly string[]): Promise<string[]> {
  const deadline = Date.now() + SETTLE_MS
  const isSettled = () =>
    withDb(game, (db) => db.rows(countOpen)).then(
      ([row]) => row!.open === 0n,
      () => false,
    )
  while (!(await isSettled())) {
    if (Date.now() > deadline) return [`After ${SETTLE_MS / 1000} s withdrawals or deposits are still open.`]
    await sleep(500)
  }
  const { mint } = (await (await fetch(`${game.url}/api/chain`)).json()) as { mint: string }
  const { deposits, withdrawals } = await readState(game.databaseUrl, wallets)
  const faults = wallets.map(async (wallet) => {
    const sum = (rows: readonly { wallet: string; amount: number | string }[]): bigint =>
      rows.reduce((total, each) => total + (each.wallet === wallet ? units(each.amount) : 0n), 0n)
    // What was cancelled is refunded: if it is paid after all, the wallet has more than that.
    const owed = withdrawals.filter(({ refunded, cancelled }) => !refunded && !cancelled)
    const expected = FAUCET - sum(deposits) + sum(owed)
    const held = await readTokens(game.chainUrl, { wallet, mint })
    return held === expected
      ? []
      : [`${wallet} has ${formatUnits(held)} on the chain, and ${formatUnits(expected)} are expected.`]
  })
  return (await Promise.all(faults)).flat()
}

type TokenAccount = { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }

async function readTokens(url: string, { wallet, mint }: { wallet: string; mint: string }): Promise<bigint> {
  const params = [wallet, { mint }, { encoding: 'jsonParsed', commitment: 'confirmed' }]
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTokenAccountsByOwner', params })
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result } = (await answer.json()) as { result: { value: TokenAccount[] } }
  return result.value.reduce(
    (sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount),
    0n,
  )
}
