import { signature as signatureOf } from '@solana/kit'
import type { Chain } from '#server/chain/port.ts'
import { type Db, sql } from '#server/platform/db/db.ts'
import { quantile } from '../statistics.ts'
import type { ChainPlayer } from './chain-players.ts'

/** So many moves: how long all of them took, and how long each was waited for. */
export type Moved = { done: number; seconds: number; p50Ms: number; p99Ms: number }

const DEPOSIT = 20
const WITHDRAWAL = 10

const LIMIT_MS = 120_000
const LOOK_EVERY_MS = 50

const readCredited = sql(
  'bench-credited',
  `select signature, credited_at from receipts where signature = any($1::text[]) and state = 'credited'`,
)

const readSettled = sql(
  'bench-settled',
  `select requested_at, settled_at from withdrawals
   where wallet = any($1::text[]) and state = 'finalized' and requested_at >= $2`,
)

/**
 * Every player deposits at once. The transfers end when the chain calls the last one final, the deposits when the
 * last one is credited; what is waited for is, in turn, the transfer's finality, and the credit from there on.
 */
export async function depositAll(
  players: readonly ChainPlayer[],
  { chain, books }: { chain: Chain; books: Db },
): Promise<{ transfers: Moved; deposits: Moved }> {
  const ready = await Promise.all(players.map((player) => player.prepare(DEPOSIT)))
  const from = Date.now()
  const sent = await Promise.all(
    players.map(async (player, at) => ({ signature: await player.submit(ready[at]!), at: Date.now() })),
  )
  const final = new Map<string, number>()
  const credited = new Map<string, number>()
  await look('deposits to be credited', async () => {
    const open = sent.filter(({ signature }) => !final.has(signature))
    const statuses = await chain.statuses(open.map(({ signature }) => signatureOf(signature)))
    statuses.forEach((status, at) => {
      if (status?.commitment === 'finalized') final.set(open[at]!.signature, Date.now())
    })
    const rows = await books.rows<{ signature: string; credited_at: Date }>(readCredited, [
      sent.map(({ signature }) => signature),
    ])
    for (const row of rows) credited.set(row.signature, row.credited_at.getTime())
    return final.size === sent.length && credited.size === sent.length
  })
  return {
    transfers: movedOf(
      sent.map(({ signature, at }) => ({ from: at, to: final.get(signature)! })),
      from,
    ),
    // The watcher may see it before this process does, which looks now and then.
    deposits: movedOf(
      sent.map(({ signature }) => ({ from: final.get(signature)!, to: credited.get(signature)! })),
      from,
    ),
  }
}

/** Every player withdraws at once: from the first request until the last payout is final and booked. */
export async function withdrawAll(players: readonly ChainPlayer[], { books }: { books: Db }): Promise<Moved> {
  const asked = await Promise.all(players.map((player) => player.ask(WITHDRAWAL)))
  const from = Date.now()
  await Promise.all(players.map((player, at) => player.withdraw(asked[at]!)))
  let settled: { requested_at: Date; settled_at: Date }[] = []
  await look('payouts to be final', async () => {
    settled = await books.rows(readSettled, [players.map(({ address }) => address), new Date(from)])
    return settled.length === players.length
  })
  return movedOf(
    settled.map((row) => ({ from: row.requested_at.getTime(), to: row.settled_at.getTime() })),
    from,
  )
}

async function look(what: string, isThere: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + LIMIT_MS
  while (!(await isThere())) {
    if (Date.now() > end) throw new Error(`Waited ${LIMIT_MS} ms in vain for ${what}`)
    await new Promise((wait) => setTimeout(wait, LOOK_EVERY_MS))
  }
}

function movedOf(waits: readonly { from: number; to: number }[], start: number): Moved {
  const times = waits.map(({ from, to }) => Math.max(0, to - from))
  return {
    done: waits.length,
    seconds: (Math.max(...waits.map(({ to }) => to)) - start) / 1000,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  }
}
