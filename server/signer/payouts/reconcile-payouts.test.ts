import { randomUUID } from 'node:crypto'
import { getAddMemoInstruction, LEGACY_MEMO_PROGRAM_ADDRESS_V3 } from '@solana-program/memo'
import { getTransferCheckedInstruction } from '@solana-program/token'
import { afterEach, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import {
  type Address,
  type Chain,
  type ChainNode,
  ChainUnavailable,
  type HistoryItem,
  type Nonce,
  type Signature,
  type Wire,
} from '#server/chain/port.ts'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import {
  readNewestWithdrawal,
  createPlayerWith,
  runUntilSettled,
  withdraw,
} from '#tests/support/chain-test-players.ts'
import { readCreditOf, runQuery, type TestWallet, waitUntil } from '#tests/support/chain-test-world.ts'
import { createNode, withOneNode } from '#tests/support/nodes.ts'
import { createReceipt, showing } from '#tests/support/nodes-with-histories.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import {
  closeTokenAccount,
  createReadySigner,
  createSignerAfterSigning,
  deletePayouts,
  expectPaidOnce,
} from '#tests/support/payouts.ts'
import { readWithdrawable } from '#server/withdrawals/read-withdrawals.ts'
import { findUnowedPayouts } from '../acts/find-unowed-payouts.ts'
import { readCursor } from './history-cursor.ts'
import type { Signer } from '../signer.ts'
import { createSigningRound } from '../start-signer.ts'
import { reconcilePayouts, reconcileSigned } from './reconcile-payouts.ts'
import type { LoggedPayout } from './signed-payout-log.ts'
import { pauseWithdrawals, readPause } from '#server/withdrawals/withdrawal-pause.ts'

const world = setUpChainTestWorld()

afterEach(() => runQuery(world.owner, `delete from settings where name = 'payouts_read_to'`))

const named = (at: number, slot: bigint): HistoryItem => ({
  signature: `stranger-${at}` as Signature,
  slot,
  failed: false,
  memo: `[38] w:00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
  commitment: 'finalized',
})

/** A chain whose history begins with memos of strangers that name withdrawals, one for each of these slots. */
function withStrangers(
  slots: readonly bigint[],
  { unseen }: { unseen?: string } = {},
): { chain: Chain; lookups: Map<Signature, number> } {
  const lookups = new Map<Signature, number>()
  const strangers = slots.map((slot, at) => named(at, slot)).toReversed()
  const chain: Chain = {
    ...world.chain,
    async history(address, { before, until, limit, ...query }) {
      const real = await world.chain.history(address, { limit: 1_000, ...query })
      const all = [...real, ...strangers]
      const from = before ? all.findIndex((item) => item.signature === before) + 1 : 0
      const end = all.findIndex((item) => item.signature === until)
      return all.slice(from, end < 0 ? undefined : end).slice(0, limit)
    },
    async receipt(signature, ...of) {
      if (!signature.startsWith('stranger')) return world.chain.receipt(signature, ...of)
      lookups.set(signature, (lookups.get(signature) ?? 0) + 1)
      return signature === unseen ? null : createReceipt({ signature, slot: 1n })
    },
  }
  return { chain: withOneNode(chain), lookups }
}

test('a round checks a limited number of strangers’ memos, the next continues, and a payout behind them is found', async () => {
  const wallet = await createPlayerWith(world, { deposited: 9 })
  await withdraw(world, wallet, cotton(5))
  await runUntilSettled(world, await world.newSigner(), [wallet])
  await deletePayouts(world, wallet)
  const { chain, lookups } = withStrangers(Array.from({ length: 1_000 }, (_, at) => BigInt(at)))
  const signer = await world.newSigner(chain)
  const sizes: number[] = []
  for (let done: boolean | null = false; !done;) {
    const before = lookups.size
    done = await reconcilePayouts(signer)
    sizes.push(lookups.size - before)
  }
  expect(sizes).toEqual([400, 400, 200])
  expect(new Set(lookups.values())).toEqual(new Set([1]))
  await expectPaidOnce(world, wallet)
})

test('a round ends with a whole slot, however many memos strangers write in it', async () => {
  const slots = [...Array.from({ length: 500 }, () => 1n), 2n]
  const { chain, lookups } = withStrangers(slots)
  const signer = await world.newSigner(chain)
  expect(await reconcilePayouts(signer)).toBe(false)
  expect(lookups.size).toBe(500)
  expect(await readCursor(world.owner, 'payouts_read_to')).toMatchObject({ slot: 1n })
  expect(await reconcilePayouts(signer)).toBe(true)
  expect(lookups.size).toBe(501)
})

test('the cursor stays in front of the slot of a transaction that no node shows', async () => {
  const { chain } = withStrangers([1n, 2n, 2n], { unseen: 'stranger-2' })
  expect(await reconcilePayouts(await world.newSigner(chain))).toBe(false)
  expect(await readCursor(world.owner, 'payouts_read_to')).toEqual({ signature: 'stranger-0', slot: 1n })
})

test('rounds get further in a gap of the node that answers first, however many memos strangers write there', async () => {
  const strangers = Array.from({ length: 500 }, (_, at) => named(at, BigInt(at + 1)))
  const newest: HistoryItem = { ...named(500, 501n), memo: null }
  const receipt: Chain['receipt'] = async (signature) => createReceipt({ signature, slot: 1n })
  const silent: Chain['history'] = async () => Promise.reject(new ChainUnavailable('no answer in time'))
  const nodes = [
    createNode(world.chain, { history: showing(newest), receipt: async () => null }),
    createNode(world.chain, { history: showing(...strangers, newest), receipt }),
    createNode(world.chain, { history: silent, receipt }),
  ]
  const signer = { ...(await world.newSigner()), chain: { ...world.chain, nodes } }
  expect(await reconcilePayouts(signer)).toBe(false)
  expect(await readCursor(world.owner, 'payouts_read_to')).toMatchObject({ slot: 400n })
  expect(await reconcilePayouts(signer)).toBe(true)
  expect(await readCursor(world.owner, 'payouts_read_to')).toMatchObject({ slot: 501n })
})

test('once the history was read, payouts go on while one of two nodes does not answer', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  let isAway = false
  const history: Chain['history'] = (...of) =>
    isAway ? Promise.reject(new ChainUnavailable('no answer in time')) : world.chain.history(...of)
  const nodes = [createNode(world.chain), createNode(world.chain, { history })]
  const round = createSigningRound(await world.newSigner({ ...world.chain, nodes }))
  const pay = async () => {
    await withdraw(world, wallet, cotton(3))
    await waitUntil(
      async () => (await round(), (await readNewestWithdrawal(world, wallet)).settledAt !== null),
    )
  }
  await pay()
  isAway = true
  // The history is read again after a hundred rounds.
  for (let rounds = 0; rounds < 100; rounds++) await round()
  await pay()
  await expectPaidOnce(world, wallet)
})

test('with several nodes, a history that only one of them shows is not compared', async () => {
  const signer = await world.newSigner()
  await world.waitUntilFinal(await world.gift(signer.treasury.address, cotton(1)))
  const history = async () => Promise.reject(new ChainUnavailable('no answer in time'))
  const over = (...nodes: ChainNode[]) => reconcilePayouts({ ...signer, chain: { ...world.chain, nodes } })
  const [silent, honest] = [createNode(world.chain, { history }), createNode(world.chain)]
  expect(await over(honest, silent)).toBeNull()
  expect(await readCursor(world.owner, 'payouts_read_to')).toBeNull()
  expect(await over(honest, silent, honest)).toBe(true)
  expect(await readCursor(world.owner, 'payouts_read_to')).not.toBeNull()
})

test('nodes are asked only about those signed payouts that the database does not contain', async () => {
  const logged: LoggedPayout[] = []
  const signed = { append: (payout: LoggedPayout) => void logged.push(payout), newest: () => logged }
  const wallet = await createPlayerWith(world, { deposited: 9 })
  await withdraw(world, wallet, cotton(5))
  await runUntilSettled(world, { ...(await world.newSigner()), signed }, [wallet])
  const asked: Signature[] = []
  const statuses: Chain['statuses'] = (signatures) => {
    asked.push(...signatures)
    return world.chain.statuses(signatures)
  }
  const chain = { ...world.chain, nodes: [createNode(world.chain, { statuses })] }
  const signer = { ...(await world.newSigner(chain)), signed }
  expect(await reconcileSigned(signer)).toBe(true)
  expect(asked).toEqual([])
  await deletePayouts(world, wallet)
  expect(await reconcileSigned(signer)).toBe(true)
  expect(asked).toEqual(logged.map(({ signature }) => signature))
  await expectPaidOnce(world, wallet)
})

/** Withdraws 5 of 9 $COTTON. Of the payout and its replacement neither is sent, and then the database loses the replacement. */
async function losePayoutReplacement() {
  const logged: LoggedPayout[] = []
  const signed = { append: (payout: LoggedPayout) => void logged.push(payout), newest: () => logged }
  const wallet = await createPlayerWith(world, { deposited: 9 })
  const { id } = await withdraw(world, wallet, cotton(5))
  const wires = async () => {
    const rows = await runQuery<{ wire: Buffer }>(
      world.owner,
      `select wire from payouts where withdrawal_id = $1
       union all select wire from payout_replacements where withdrawal_id = $1`,
      [id],
    )
    return rows.map(({ wire }) => wire.toString('base64') as Wire)
  }
  const silent = await world.newSigner({
    ...world.chain,
    send: async (wire, options) => {
      const ours = (await wires()).includes(wire)
      return ours ? { state: 'unknown', detail: 'lost' } : world.chain.send(wire, options)
    },
  })
  const round = createSigningRound({ ...silent, signed })
  await waitUntil(async () => {
    await round()
    return (await wires()).length === 1
  })
  const [first] = await wires()
  world.clock.skip(31_000)
  await round()
  const [replacement] = (await wires()).filter((wire) => wire !== first)
  await world.owner.transaction(async (tx) => {
    await runQuery(tx, 'set local session_replication_role = replica')
    await runQuery(tx, 'delete from payout_replacements where withdrawal_id = $1', [id])
  })
  const land = async () => {
    await world.chain.send(replacement!, { skipPreflight: true })
    await world.waitUntilFinal(logged.at(-1)!.signature)
  }
  return { wallet, id, signed, land }
}

test('a replacement that failed on the chain, and that a restored database does not contain, is refunded', async () => {
  const { wallet, id, signed, land } = await losePayoutReplacement()
  // Now it cannot be paid.
  await closeTokenAccount(world, wallet)
  await land()
  await runUntilSettled(world, { ...(await world.newSigner()), signed }, [wallet])
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ id, state: 'refunded' })
  expect(await readCreditOf(world.owner, wallet.address)).toEqual({ deposited: cotton(9), earned: 0n })
})

test('a replacement that landed is settled, although a node that is behind shows its nonce as unused', async () => {
  const { wallet, id, land } = await losePayoutReplacement()
  const [used] = await runQuery<{ account: Address; nonce: Nonce }>(
    world.owner,
    `select l.nonce_account as account, p.nonce from payouts p join lanes l using (lane) where p.withdrawal_id = $1`,
    [id],
  )
  await land()
  const behind: Chain['nonceValue'] = async (account, commitment, of) =>
    account === used!.account && of === undefined
      ? used!.nonce
      : world.chain.nonceValue(account, commitment, of)
  await reconcilePayouts(await world.newSigner({ ...world.chain, nonceValue: behind }))
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ id, state: 'finalized' })
  expect(await readPause(world.owner)).toBeNull()
})

/** Pays a withdrawal of 5 $COTTON by a transaction that the database does not contain. */
async function payUnrecorded(
  { treasury, treasuryTokens }: Signer,
  wallet: TestWallet,
  id: string,
): Promise<void> {
  const { mint, decimals } = world.chain.facts
  const lifetime = await world.chain.latestBlockhash('confirmed')
  const { wire, signature } = await signWithBlockhash(treasury, lifetime, [
    getTransferCheckedInstruction({
      source: treasuryTokens,
      mint,
      destination: await world.chain.tokenAccountOf(wallet.signer.address),
      authority: treasury,
      amount: cotton(5),
      decimals,
    }),
    getAddMemoInstruction({ memo: `w:${id}` }, { programAddress: LEGACY_MEMO_PROGRAM_ADDRESS_V3 }),
  ])
  await world.chain.send(wire)
  await world.waitUntilFinal(signature)
}

test('a withdrawal that the treasury paid twice is settled once, and withdrawals are paused', async () => {
  const wallet = await createPlayerWith(world, { deposited: 9 })
  const { id } = await withdraw(world, wallet, cotton(5))
  await world.waitUntilFinal(await world.gift(wallet.address, cotton(1)))
  const signer = await createReadySigner(world)
  for (let time = 0; time < 2; time++) await payUnrecorded(signer, wallet, id)
  expect(await reconcilePayouts(signer)).toBe(true)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'finalized' })
  expect(await readWithdrawable(world.apiDeps, wallet.address)).toMatchObject({ paused: true })
  await runQuery(world.owner, `delete from settings where name = 'withdrawals_paused'`)
})

test('while the signed payout of a withdrawal can still land, another one does not settle it', async () => {
  const wallet = await createPlayerWith(world, { deposited: 9 })
  const { id } = await withdraw(world, wallet, cotton(5))
  await world.waitUntilFinal(await world.gift(wallet.address, cotton(1)))
  const signer = await createSignerAfterSigning(world)
  const { signature } = await readNewestWithdrawal(world, wallet)
  await payUnrecorded(signer, wallet, id)
  expect(await reconcilePayouts(signer)).toBe(true)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'signed', settledAt: null })
  expect(await readPause(world.owner)).toMatchObject({ why: expect.stringContaining('do not owe') })
  await runQuery(world.owner, `delete from settings where name = 'withdrawals_paused'`)
  await runUntilSettled(world, signer, [wallet])
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'finalized', signature })
})

test('a transaction that names many withdrawals costs one call to the node', async () => {
  const wallet = await world.wallet()
  await world.waitUntilFinal(await world.gift(wallet.address, cotton(1)))
  const signer = await createReadySigner(world)
  expect(await reconcilePayouts(signer)).toBe(true)
  const { mint, decimals } = world.chain.facts
  const touching = getTransferCheckedInstruction({
    source: await world.chain.tokenAccountOf(wallet.signer.address),
    mint,
    destination: signer.treasuryTokens,
    authority: wallet.signer,
    amount: 1n,
    decimals,
  })
  const named = () =>
    getAddMemoInstruction({ memo: `w:${randomUUID()}` }, { programAddress: LEGACY_MEMO_PROGRAM_ADDRESS_V3 })
  const sent: Signature[] = []
  for (let at = 0; at < 40; at++) {
    const lifetime = await world.chain.latestBlockhash('confirmed')
    const memos = Array.from({ length: 20 }, named)
    const { wire, signature } = await signWithBlockhash(wallet.signer, lifetime, [...memos, touching])
    expect(await world.chain.send(wire)).toMatchObject({ state: 'accepted' })
    sent.push(signature)
  }
  for (const signature of sent) await world.waitUntilFinal(signature)
  const requested: Signature[] = []
  const receipt: Chain['receipt'] = async (...of) => {
    requested.push(of[0])
    return world.chain.receipt(...of)
  }
  expect(await reconcilePayouts(await world.newSigner(withOneNode({ ...world.chain, receipt })))).toBe(true)
  expect(requested.toSorted()).toEqual(sent.toSorted())
  expect(await readWithdrawable(world.apiDeps, wallet.address)).toMatchObject({ paused: false })
})

test('the reason of a pause has a maximum length, however many causes it has', async () => {
  const { db } = await world.newSigner()
  for (let cause = 0; cause < 40; cause++) {
    const why = `Cause ${cause}: ${'x'.repeat(900)}`
    await pauseWithdrawals(db, { why, now: world.clock.now() })
  }
  const pause = await readPause(world.owner)
  expect(pause!.why.length).toBe(700)
  expect(pause!.why).toMatch(/^Cause 0: x+ And: Cause 1: x+ And: Cause 2/)
  await runQuery(world.owner, `delete from settings where name = 'withdrawals_paused'`)
})

test('a payout that landed although its withdrawal was refunded is not owed, and pauses withdrawals', async () => {
  const wallet = await createPlayerWith(world, { deposited: 9 })
  const { id } = await withdraw(world, wallet, cotton(5))
  const signer = await world.newSigner()
  await runUntilSettled(world, signer, [wallet])
  const { signature } = await readNewestWithdrawal(world, wallet)
  const write = (state: string, paidBy: string | null) =>
    runQuery(world.owner, 'update withdrawals set state = $2, paid_by = $3 where id = $1', [
      id,
      state,
      paidBy,
    ])
  await write('refunded', null)
  await runQuery(world.owner, `delete from settings where name = 'payouts_read_to'`)
  expect(await readPause(world.owner)).toBeNull()
  expect(await reconcilePayouts(signer)).toBe(true)
  expect(await readPause(world.owner)).toMatchObject({ why: expect.stringContaining('do not owe') })
  const of = { chain: world.chain, treasury: signer.treasury.address }
  const { unowed } = await findUnowedPayouts({ db: world.owner }, of)
  expect(unowed.find((each) => each.signature === signature)).toMatchObject({
    withdrawalId: id,
    state: 'refunded',
    wallet: wallet.address,
    amount: cotton(5),
  })
  await write('finalized', signature)
  await runQuery(world.owner, `delete from settings where name = 'withdrawals_paused'`)
})
