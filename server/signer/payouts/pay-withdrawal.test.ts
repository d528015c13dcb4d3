import { expect, test } from 'vitest'
import { baseUnits, cotton } from '#game/cotton.ts'
import {
  type Chain,
  ChainUnavailable,
  type Nonce,
  type Receipt,
  type SendResult,
  type Signature,
} from '#server/chain/port.ts'
import {
  readNewestWithdrawal,
  createPlayerWith,
  runUntilSettled,
  withdraw,
} from '#tests/support/chain-test-players.ts'
import { runQuery, readCreditOf, type TestWallet, waitUntil } from '#tests/support/chain-test-world.ts'
import { interceptStatements } from '#tests/support/intercept-statements.ts'
import { createNode, withOneNode } from '#tests/support/nodes.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { expectPaidOnce, createReadySigner, createSignerAfterSigning } from '#tests/support/payouts.ts'
import { reviewRequests } from '../review/review-requests.ts'
import type { Db } from '#server/platform/db/db.ts'
import { readOpenPayouts } from '#server/withdrawals/open-withdrawals.ts'
import { readWithdrawable } from '#server/withdrawals/read-withdrawals.ts'
import { pauseWithdrawals } from '#server/withdrawals/withdrawal-pause.ts'
import { sendPayouts } from './send-payouts.ts'
import { settlePayouts } from './settle-payouts.ts'
import { signApproved } from './sign-approved.ts'
import { createSigningRound } from '../start-signer.ts'
import type { Signer } from '../signer.ts'

const world = setUpChainTestWorld()

async function heldNow(): Promise<bigint> {
  const [row] = await runQuery<{ held: bigint }>(
    world.owner,
    `select coalesce(sum(amount), 0)::bigint as held from entries where account = 'held'`,
  )
  return row!.held
}

test('a withdrawal lands in the wallet once and is settled', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  const requested = await withdraw(world, wallet, cotton(60))
  expect(requested).toMatchObject({ state: 'requested', amount: 60, deposited: 60, earned: 0 })
  expect((await readCreditOf(world.owner, wallet.address)).deposited).toBe(cotton(40))
  await runUntilSettled(world, await world.newSigner(), [wallet])
  await expectPaidOnce(world, wallet)
  expect(await heldNow()).toBe(0n)
  expect(await runQuery(world.owner, 'select lane from lanes where withdrawal_id is not null')).toEqual([])
})

test('a payout is not stored if withdrawals are paused while the balances of its wallet are compared', async () => {
  const wallet = await createPlayerWith(world, { deposited: 10 })
  await withdraw(world, wallet, cotton(10))
  const signer = await createReadySigner(world)
  await reviewRequests(signer)
  const { db } = signer
  const transaction: Db['transaction'] = (work) =>
    db.transaction((tx) =>
      work(
        interceptStatements(tx, async ({ name }, run) => {
          const rows = await run()
          if (name === 'signer-compare-balances')
            await pauseWithdrawals(world.owner, { why: 'a test', now: world.clock.now() })
          return rows
        }),
      ),
    )
  await signApproved({ ...signer, db: { ...db, transaction } })
  expect(await readWithdrawable(world.apiDeps, wallet.address)).toMatchObject({ paused: true })
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'requested', signature: null })
  await runQuery(world.owner, `delete from settings where name = 'withdrawals_paused'`)
  await runUntilSettled(world, signer, [wallet])
})

class Crash extends Error {}

/** A signer that crashes at its n-th call to chain or database, before or after the call takes effect. */
function crashing(signer: Signer, { crashAt, after }: { crashAt: number; after: boolean }): Signer {
  let calls = 0
  const counted =
    <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      if (++calls >= crashAt && !after) throw new Crash()
      const answer = await call(...args)
      if (calls >= crashAt) throw new Crash()
      return answer
    }
  const { chain, db } = signer
  return {
    ...signer,
    chain: withOneNode({
      ...chain,
      send: counted(chain.send),
      statuses: counted(chain.statuses),
      nonceValue: counted(chain.nonceValue),
      tokenAccount: counted(chain.tokenAccount),
      tokenBalance: counted(chain.tokenBalance),
      history: counted(chain.history),
      receipt: counted(chain.receipt),
    }),
    db: {
      ...db,
      rows: counted(db.rows) as typeof db.rows,
      transaction: counted(db.transaction) as typeof db.transaction,
    },
  }
}

async function runUntilCrash(signer: Signer): Promise<void> {
  const round = createSigningRound(signer)
  await waitUntil(async () => {
    try {
      await round()
      return false
    } catch (error) {
      if (error instanceof Crash) return true
      throw error
    }
  })
}

test.each([false, true])(
  'a signer that crashes at every call pays each withdrawal once (after it: %s)',
  async (after) => {
    const create = () => createPlayerWith(world, { deposited: 150 })
    const wallets = await Promise.all(Array.from({ length: 3 }, create))
    for (let i = 1; i <= 12; i++) for (const wallet of wallets) await withdraw(world, wallet, cotton(i))
    for (let crashAt = after ? 1 : 5; crashAt < 60; crashAt += 9)
      await runUntilCrash(crashing(await world.newSigner(), { crashAt, after }))
    // A crash before a call leaves what one after the call before it leaves.
    for (let crashAt = after ? 1 : 3; crashAt <= 41; crashAt += 2)
      await runUntilCrash(crashing(await createReadySigner(world), { crashAt, after }))
    await runUntilSettled(world, await world.newSigner(), wallets)
    for (const wallet of wallets) await expectPaidOnce(world, wallet)
    expect(await heldNow()).toBe(0n)
  },
  240_000,
)

test('lost, unanswered and repeated sends and nodes without history pay each withdrawal once', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  for (let i = 1; i <= 10; i++) await withdraw(world, wallet, cotton(i))
  let seed = 7
  const chance = (share: number): boolean => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    return seed / 0x7fffffff < share
  }
  const faulty = withOneNode({
    ...world.chain,
    async send(wire, options): Promise<SendResult> {
      if (chance(0.3)) return { state: 'unknown', detail: 'lost' }
      const sent = await world.chain.send(wire, options)
      if (chance(0.3)) return { state: 'unknown', detail: 'no answer' }
      if (chance(0.3)) return { state: 'rejected', reason: 'lifetime_over', detail: 'a node that lags' }
      return sent
    },
    statuses: async (of) => (await world.chain.statuses(of)).map((status) => (chance(0.3) ? null : status)),
  })
  await runUntilSettled(world, await world.newSigner(faulty), [wallet])
  await expectPaidOnce(world, wallet)
})

test('two signers at once pay each withdrawal once', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  for (let i = 1; i <= 8; i++) await withdraw(world, wallet, cotton(i))
  const signers = await Promise.all([world.newSigner(), world.newSigner()])
  await Promise.all(signers.map((signer) => runUntilSettled(world, signer, [wallet])))
  await expectPaidOnce(world, wallet)
})

async function emptyTreasury(signer: Signer): Promise<void> {
  const tokens = await world.chain.tokenBalance(signer.treasuryTokens, 'finalized')
  if (tokens === 0n) return
  const elsewhere = await world.wallet()
  const treasury = { ...elsewhere, address: signer.treasury.address, signer: signer.treasury }
  const signBytes = async (bytes: Uint8Array) =>
    new Uint8Array(
      await crypto.subtle.sign('Ed25519', signer.treasury.keyPair.privateKey, Uint8Array.from(bytes)),
    )
  const sent = await world.transfer({ ...treasury, signBytes }, elsewhere.address, baseUnits(tokens))
  await world.waitUntilFinal(sent)
}

test('a payout that fails on the chain is refunded to every class and to the day’s budget', async () => {
  await world.skipDays(0)
  // More earned credit than the wallet's share of the day, so that the budget matters.
  const wallet = await createPlayerWith(world, { deposited: 10, earned: 30_000 })
  const before = await readWithdrawable(world.apiDeps, wallet.address)
  await withdraw(world, wallet, cotton(25))
  expect(await readCreditOf(world.owner, wallet.address)).toEqual({ deposited: 0n, earned: cotton(29_985) })
  expect((await readWithdrawable(world.apiDeps, wallet.address)).earnedToday).toBe(before.earnedToday - 15)
  const signer = await createSignerAfterSigning(world)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'signed' })
  await emptyTreasury(signer)
  await runUntilSettled(world, signer, [wallet])
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({
    state: 'refunded',
    reason: expect.stringContaining('back in your balance'),
  })
  expect(await readCreditOf(world.owner, wallet.address)).toEqual({
    deposited: cotton(10),
    earned: cotton(30_000),
  })
  expect(await readWithdrawable(world.apiDeps, wallet.address)).toEqual(before)
  expect(await heldNow()).toBe(0n)
  expect(await world.tokenBalanceOf(wallet.address)).toBe(0n)
})

test('a node that reports a payout in flight as failed causes no refund', async () => {
  const wallet = await createPlayerWith(world, { deposited: 10 })
  await withdraw(world, wallet, cotton(5))
  const signer = await createSignerAfterSigning(world)
  const lying = withOneNode({
    ...world.chain,
    statuses: async (of) => of.map(() => ({ slot: 1n, commitment: 'finalized', failed: true })),
  })
  await settlePayouts({ ...signer, chain: lying })
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'signed', settledAt: null })
  await runUntilSettled(world, signer, [wallet])
  // With several nodes, one that shows a failure is not believed alone either.
  const other = await createPlayerWith(world, { deposited: 10 })
  await withdraw(world, other, cotton(5))
  await reviewRequests(signer)
  await signApproved(signer)
  const payout = (await readOpenPayouts(signer.db)).find((each) => each.wallet === other.address)!
  const failure = async (signature: Signature) => ({ ...FAILED, signature, lifetime: payout.lane.nonce })
  const nonceValue = async () => 'moved-on' as Nonce
  // The only node shows one while the nonce of the lane is unused, and one that has used up another nonce.
  const onOther = async (signature: Signature) => ({ ...FAILED, signature })
  const alone: Partial<Chain>[] = [{ receipt: failure }, { receipt: onOther, nonceValue }]
  for (const shown of alone) {
    await settlePayouts({ ...signer, chain: withOneNode({ ...lying, ...shown }) })
    expect(await readNewestWithdrawal(world, other)).toMatchObject({ state: 'signed', settledAt: null })
  }
  const { statuses } = lying
  const fooled: Chain = {
    ...lying,
    nonceValue,
    receipt: failure,
    // All nodes report the same status, so only the transaction itself decides.
    nodes: [createNode(lying, { receipt: failure }), createNode(world.chain, { statuses })],
  }
  await settlePayouts({ ...signer, chain: fooled })
  expect(await readNewestWithdrawal(world, other)).toMatchObject({ state: 'signed', settledAt: null })
  await sendPayouts(signer)
  await world.waitUntilFinal(payout.signature)
  // The payout landed and a node reports a failure, but its own receipt shows that tokens left the treasury.
  await settlePayouts({ ...signer, chain: lying })
  expect(await readNewestWithdrawal(world, other)).toMatchObject({ state: 'sent', settledAt: null })
  await runUntilSettled(world, signer, [other])
  for (const each of [wallet, other]) await expectPaidOnce(world, each)
})

test('one of several nodes that reports a payout in flight as finalized settles nothing', async () => {
  const wallet = await createPlayerWith(world, { deposited: 10 })
  await withdraw(world, wallet, cotton(5))
  const signer = await createSignerAfterSigning(world)
  const final: Chain['statuses'] = async (of) =>
    of.map(() => ({ slot: 1n, commitment: 'finalized', failed: false }))
  const silent = async () => Promise.reject(new ChainUnavailable('no answer in time'))
  // Whichever node serves the other reads.
  for (const statuses of [final, world.chain.statuses])
    for (const second of [{}, { statuses: silent }]) {
      const nodes = [createNode(world.chain, { statuses: final }), createNode(world.chain, second)]
      await settlePayouts({ ...signer, chain: { ...world.chain, statuses, nodes } })
      expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'signed', settledAt: null })
    }
  expect(await heldNow()).toBe(cotton(5))
  await sendPayouts(signer)
  await world.waitUntilFinal((await readNewestWithdrawal(world, wallet)).signature as Signature)
  let reads = 0
  const counting: Chain['statuses'] = (of) => {
    reads += 1
    return world.chain.statuses(of)
  }
  const honest = Array.from({ length: 3 }, () => createNode(world.chain, { statuses: counting }))
  await settlePayouts({ ...signer, chain: { ...world.chain, nodes: honest } })
  await expectPaidOnce(world, wallet)
  expect(reads).toBe(honest.length)
})

test('one of several nodes that claims to know every transaction does not stop a payout from being sent', async () => {
  const wallet = await createPlayerWith(world, { deposited: 10 })
  const { id } = await withdraw(world, wallet, cotton(5))
  const signer = await createSignerAfterSigning(world)
  const state = async () =>
    (await runQuery<{ state: string }>(world.owner, 'select state from withdrawals where id = $1', [id]))[0]!
      .state
  const statuses: Chain['statuses'] = async (of) =>
    of.map(() => ({ slot: 1n, commitment: 'processed', failed: false }))
  const lying = createNode(world.chain, { statuses })
  const [honest, other] = [createNode(world.chain), createNode(world.chain)]
  expect(await state()).toBe('signed')
  await sendPayouts({ ...signer, chain: { ...world.chain, statuses, nodes: [lying, honest, other] } })
  expect(await state()).toBe('sent')
  await runUntilSettled(world, signer, [wallet])
  await expectPaidOnce(world, wallet)
})

test('a withdrawal that the treasury cannot pay waits with a reason, smaller ones are paid, and a top-up pays it', async () => {
  const signer = await createReadySigner(world)
  await emptyTreasury(signer)
  const [large, small] = [
    await createPlayerWith(world, { earned: 900 }),
    await createPlayerWith(world, { earned: 9 }),
  ]
  await withdraw(world, large, cotton(900))
  await withdraw(world, small, cotton(9))
  await world.waitUntilFinal(await world.gift(signer.treasury.address, cotton(100)))
  await runUntilSettled(world, signer, [small])
  expect(await readNewestWithdrawal(world, small)).toMatchObject({ state: 'finalized' })
  expect(await readNewestWithdrawal(world, large)).toMatchObject({
    state: 'requested',
    reason: expect.stringContaining('being refilled'),
  })
  await world.waitUntilFinal(await world.gift(signer.treasury.address, cotton(100_000_000)))
  await runUntilSettled(world, signer, [large])
  await expectPaidOnce(world, large)
})

/** A treasury that can pay for one of two payouts. */
const SCARCE: Record<string, Partial<Chain>> = {
  tokens: {
    async tokenAccount(...of) {
      const account = await world.chain.tokenAccount(...of)
      return account && { ...account, amount: cotton(11) }
    },
  },
  SOL: { lamports: async () => (await world.chain.rentFor(0)) + 9_000n, unitPrice: async () => 0n },
}

test.each(Object.entries(SCARCE))(
  'what other payouts take, of the same round or in flight, pays for no further one: %s',
  async (_, scarce) => {
    const wallets = [
      await createPlayerWith(world, { deposited: 9 }),
      await createPlayerWith(world, { deposited: 9 }),
    ]
    for (const wallet of wallets) await withdraw(world, wallet, cotton(6))
    const signer = await createReadySigner(world)
    await reviewRequests(signer)
    const waiting = async () => {
      const shown = await Promise.all(wallets.map((wallet) => readNewestWithdrawal(world, wallet)))
      return shown.filter(({ signature }) => signature === null).map(({ reasons }) => reasons)
    }
    for (let round = 0; round < 2; round++) {
      await signApproved({ ...signer, chain: { ...world.chain, ...scarce } })
      expect(await waiting()).toEqual([['treasury_short']])
      // The one that waits is tried again.
      world.clock.skip(2_000)
    }
    await runUntilSettled(world, signer, wallets)
    for (const wallet of wallets) await expectPaidOnce(world, wallet)
  },
)

const FAILED: Omit<Receipt, 'signature'> = {
  slot: 1n,
  blockTime: null,
  failed: true,
  amount: 0n,
  lamports: 0n,
  lifetime: 'hash',
  unsupported: [],
  changes: [],
  accounts: [],
  isDerived: true,
}

test('ten concurrent closings close a withdrawal once', async () => {
  const [paid, failing] = [
    await createPlayerWith(world, { deposited: 10 }),
    await createPlayerWith(world, { deposited: 10, earned: 10 }),
  ]
  for (const wallet of [paid, failing]) await withdraw(world, wallet, cotton(5))
  const signer = await createSignerAfterSigning(world)
  const { signature } = await readNewestWithdrawal(world, paid)
  const nonceOf = new Map(
    (await readOpenPayouts(signer.db)).map((each) => [each.signature, each.lane.nonce as string]),
  )
  const ended = withOneNode({
    ...world.chain,
    statuses: async (of) =>
      of.map((each) => ({ slot: 1n, commitment: 'finalized', failed: each !== signature })),
    nonceValue: async () => 'moved-on' as Nonce,
    receipt: async (signature) => ({ ...FAILED, signature, lifetime: nonceOf.get(signature) ?? 'hash' }),
  })
  await Promise.all(Array.from({ length: 10 }, () => settlePayouts({ ...signer, chain: ended })))
  const kinds = async ({ address }: TestWallet) => {
    const closing = `select kind::text from journals where wallet = $1 and kind in ('settlement', 'refund')`
    return (await runQuery<{ kind: string }>(world.owner, closing, [address])).map((row) => row.kind)
  }
  expect(await kinds(paid)).toEqual(['settlement'])
  expect(await kinds(failing)).toEqual(['refund'])
  expect(await heldNow()).toBe(0n)
})
