import { randomBytes } from 'node:crypto'
import { getBase58Decoder } from '@solana/kit'
import { beforeAll, expect, test } from 'vitest'
import { baseUnits, cotton } from '#game/cotton.ts'
import { depositLines } from '#game/credit.ts'
import type { Chain } from '#server/chain/port.ts'
import { takeDepositAddress } from '#server/deposits/take-address.ts'
import { openBook } from '#server/ledger/book.ts'
import type { Signer } from '#server/signer/signer.ts'
import { readPause, resumeWithdrawals } from '#server/withdrawals/withdrawal-switch.ts'
import { playerWith } from '#tests/support/money-players.ts'
import { ask, until } from '#tests/support/money-world.ts'
import { moneyWorld } from '#tests/support/one-money-world.ts'
import { lookAtReserve } from './look-at-reserve.ts'
import { watchSolvency } from './watch-solvency.ts'

/** Far beyond where any chain will ever be. */
const NEVER = 2n ** 60n

const world = moneyWorld()
let signer: Signer

beforeAll(async () => {
  signer = await world.newSigner()
  // Until the pool's funding is final, too.
  const now = await world.chain.slot('processed')
  await until(async () => (await world.chain.slot('finalized')) > now)
})

const glance = (chain: Chain = world.chain) =>
  lookAtReserve(
    { db: world.watcher, chain },
    { treasury: signer.treasury.address, cold: [], notBefore: 0n, now: world.clock.now() },
  )

/** A deposit that never came, by the api's login: the ledger's move, and a receipt that names it. */
async function forge(
  amount: number,
  { signature, slot }: { signature: string; slot: bigint },
): Promise<string> {
  const { address: wallet } = await world.wallet()
  const now = world.clock.now()
  const address = await takeDepositAddress(world.api, { wallet, now })
  await world.api.transaction(async (tx) => {
    const book = await openBook(tx, [wallet])
    const lines = depositLines(wallet, cotton(amount))
    const journal = book.post({ wallet, kind: 'deposit', at: now, detail: { signature }, lines })
    await book.close()
    await ask(
      tx,
      `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at, credited_at, journal_id)
       values ($1, $2, $3, 'cotton', $4, $5, 'credited', $6, $6, $7)`,
      [signature, address!.tokenAccount, wallet, cotton(amount), slot, now, journal],
    )
  })
  return wallet
}

const madeUp = (): string => getBase58Decoder().decode(randomBytes(64))

test('a deposit that never came is missed, whatever slot it names, and withdrawals are paused', async () => {
  const before = (await glance()).surplus
  await forge(100, { signature: madeUp(), slot: NEVER })
  expect(await glance()).toMatchObject({
    surplus: before - cotton(100),
    doubt: cotton(100),
    creditedAhead: 0n,
  })
  const { watcher: db, chain, clock, log } = world
  const look = () => until(async () => (await watchSolvency({ db, chain, clock, log })) !== null)
  await look()
  await look()
  // A node that lags would be given a minute.
  expect(await readPause(world.owner)).toBeNull()
  world.clock.skip(61_000)
  await look()
  expect(await readPause(world.owner)).toMatchObject({ why: 'There are fewer tokens than the game owes.' })
  await resumeWithdrawals(world.owner)
})

test('nor does it help to name a transaction that is there and paid somebody else', async () => {
  const before = (await glance()).surplus
  await playerWith(world, { deposited: 70 })
  const [real] = await ask<{ signature: string; slot: bigint }>(
    world.owner,
    `select signature, slot from receipts where asset = 'cotton' and state = 'credited' and slot < $1 limit 1`,
    [NEVER],
  )
  await forge(70, { signature: real!.signature, slot: NEVER })
  await until(async () => (await glance()).surplus === before - cotton(70))
  // As it was seen just before that transaction: only the account that it paid may leave it out.
  const early: Chain = {
    ...world.chain,
    tokenBalances: async (accounts, of) => ({
      slot: real!.slot - 1n,
      amounts: (await world.chain.tokenBalances(accounts, of)).amounts,
    }),
  }
  expect(await glance(early)).toMatchObject({ surplus: before, creditedAhead: cotton(70) })
  // Nor may a deposit that did come be pushed into the future.
  await ask(world.api, 'update receipts set slot = $2 where signature = $1', [real!.signature, NEVER])
  expect((await glance()).surplus).toBe(before - cotton(70))
})

test('what is called funding and is none hides nothing', async () => {
  const before = (await glance()).surplus
  const wallet = await forge(40, { signature: madeUp(), slot: 1n })
  await world.api.transaction(async (tx) => {
    const book = await openBook(tx, [wallet])
    const lines = [
      { wallet, account: 'deposited' as const, amount: baseUnits(-cotton(40)) },
      { wallet, account: 'pool' as const, amount: cotton(40) },
    ]
    const at = new Date(world.clock.now().getTime() + 3_600_000)
    book.post({ wallet, kind: 'funding', at, detail: { slot: Number(2n ** 50n) }, lines })
    await book.close()
  })
  expect((await glance()).surplus).toBe(before - cotton(40))
})
