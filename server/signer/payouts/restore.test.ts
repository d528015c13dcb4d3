import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getSignatureFromTransaction, getTransactionDecoder } from '@solana/kit'
import { getAddMemoInstruction, LEGACY_MEMO_PROGRAM_ADDRESS_V3 } from '@solana-program/memo'
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Address, Chain, HistoryItem, Nonce, Signature, Wire } from '#server/chain/port.ts'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import {
  readNewestWithdrawal,
  createPlayerWith,
  runUntilSettled,
  withdraw,
} from '#tests/support/chain-test-players.ts'
import { runQuery, waitUntil } from '#tests/support/chain-test-world.ts'
import { createNode } from '#tests/support/nodes.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import {
  expectPaidOnce,
  deletePayouts,
  createReadySigner,
  createSignerAfterSigning,
} from '#tests/support/payouts.ts'
import { reviewRequests } from '../review/review-requests.ts'
import { readWithdrawable, readWithdrawals } from '#server/withdrawals/read-withdrawals.ts'
import { reconcilePayouts } from './reconcile-payouts.ts'
import { renewLanes } from '../nonces/renew-lanes.ts'
import { signApproved } from './sign-approved.ts'
import { createSigningRound } from '../start-signer.ts'
import { openSignedPayoutLog } from './signed-payout-log.ts'

const world = setUpChainTestWorld()

const signatureOf = (wire: Wire): Signature =>
  getSignatureFromTransaction(getTransactionDecoder().decode(Buffer.from(wire, 'base64')))

test('after a restore, a missing payout is settled from the chain and nobody is paid twice', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  for (const amount of [3, 4]) await withdraw(world, wallet, cotton(amount))
  await runUntilSettled(world, await world.newSigner(), [wallet])
  const paid = await readWithdrawals(world.api, wallet.address)
  await deletePayouts(world, wallet)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'requested', signature: null })
  await runUntilSettled(world, await world.newSigner(), [wallet])
  await expectPaidOnce(world, wallet)
  const restored = await readWithdrawals(world.api, wallet.address)
  expect(restored.map((each) => each.signature)).toEqual(paid.map((each) => each.signature))
})

test('nothing is signed before a renewal of the term follows what was settled from the history', async () => {
  const paid = await createPlayerWith(world, { deposited: 100 })
  const other = await createPlayerWith(world, { deposited: 100 })
  await withdraw(world, paid, cotton(3))
  await runUntilSettled(world, await world.newSigner(), [paid])
  await deletePayouts(world, paid)
  await withdraw(world, other, cotton(4))
  let isDatabaseLost = true
  const states: string[] = []
  const round = createSigningRound(await world.newSigner(), async () => {
    states.push((await readNewestWithdrawal(world, paid)).state)
    if (isDatabaseLost) throw new Error('the database is lost')
  })
  await waitUntil(async () => (await round().catch(() => undefined), states.length > 2))
  expect(new Set(states)).toEqual(new Set(['finalized']))
  expect(await readNewestWithdrawal(world, other)).toMatchObject({ signature: null })
  isDatabaseLost = false
  await waitUntil(async () => (await round(), (await readNewestWithdrawal(world, other)).settledAt !== null))
  await expectPaidOnce(world, paid)
  await expectPaidOnce(world, other)
})

// At once: the payouts land before the signer has started, and are found. Late: something new is already signed.
test.each(['at once', 'late'])(
  'payouts signed after the backup that was restored pay nobody twice (sent %s)',
  async (when) => {
    const wallet = await createPlayerWith(world, { deposited: 100 })
    for (const amount of [5, 6]) await withdraw(world, wallet, cotton(amount))
    const signer = await createReadySigner(world)
    await reviewRequests(signer)
    await signApproved(signer)
    const signed = await runQuery<{ wire: Buffer }>(
      world.owner,
      `select wire from payouts p join withdrawals w on w.id = p.withdrawal_id where w.wallet = $1`,
      [wallet.address],
    )
    expect(signed).toHaveLength(2)
    await deletePayouts(world, wallet)
    // In reverse order, each withdrawal gets another lane than before, with another nonce.
    await runQuery(
      world.owner,
      `update withdrawals set requested_at = '2026-01-01'::timestamptz + (now() - requested_at) where wallet = $1`,
      [wallet.address],
    )
    const haunted: Chain = {
      ...world.chain,
      async send(wire, options) {
        const due = when === 'at once' || (await readNewestWithdrawal(world, wallet)).signature !== null
        const ghosts = due ? signed.map((row) => row.wire.toString('base64') as Wire) : []
        for (const ghost of ghosts) await world.chain.send(ghost, { skipPreflight: true })
        return world.chain.send(wire, options)
      },
    }
    await runUntilSettled(world, await world.newSigner(haunted), [wallet])
    await expectPaidOnce(world, wallet)
  },
)

test('a node that withholds a payout and reports that its lane has advanced causes no second payment', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  for (const amount of [5, 6]) await withdraw(world, wallet, cotton(amount))
  await createSignerAfterSigning(world)
  const bytes = await runQuery<{ wire: Buffer; nonceAccount: Address }>(
    world.owner,
    `select wire, nonce_account as "nonceAccount" from payouts p join lanes l using (lane)
     join withdrawals w on w.id = p.withdrawal_id where w.wallet = $1 order by lane`,
    [wallet.address],
  )
  expect(bytes).toHaveLength(2)
  await deletePayouts(world, wallet)
  await runQuery(
    world.owner,
    `update withdrawals set requested_at = '2026-01-01'::timestamptz + (now() - requested_at) where wallet = $1`,
    [wallet.address],
  )
  const [{ nonceAccount: laneOfFirst } = { nonceAccount: '' }] = bytes
  let lies = true
  const swallowed = new Map<Wire, Signature>()
  const lying: Chain = {
    ...world.chain,
    async send(wire, options) {
      // The first transaction is the advance of the first lane.
      if (swallowed.size === 0) swallowed.set(wire, signatureOf(wire))
      return lies && swallowed.has(wire)
        ? { state: 'accepted', signature: swallowed.get(wire)! }
        : world.chain.send(wire, options)
    },
    async statuses(of) {
      const slot = (await world.chain.slot('finalized')) + 1n
      const real = await world.chain.statuses(of)
      const withheld = [...swallowed.values()]
      return real.map((each, at) =>
        lies && withheld.includes(of[at]!) ? { slot, commitment: 'finalized', failed: false } : each,
      )
    },
    async nonceValue(account, ...of) {
      const isLied = lies && account === laneOfFirst && swallowed.size > 0
      return isLied ? ('9'.repeat(43) as Nonce) : world.chain.nonceValue(account, ...of)
    },
  }
  const nodes = [createNode(lying), createNode(world.chain), createNode(world.chain)]
  const signer = await world.newSigner({ ...lying, nodes })
  const round = createSigningRound(signer)
  // Before the node withholds a transaction, nothing can go wrong.
  await waitUntil(async () => (await round(), swallowed.size > 0))
  for (let again = 0; again < 12; again++) {
    await round()
    await sleep(100)
  }
  const signed = () =>
    runQuery(
      world.owner,
      `select from payouts join withdrawals on id = withdrawal_id
     where wallet = $1`,
      [wallet.address],
    )
  const early = await signed()
  lies = false
  for (const { wire } of bytes)
    await world.chain.send(wire.toString('base64') as Wire, { skipPreflight: true })
  await runUntilSettled(world, signer, [wallet])
  await expectPaidOnce(world, wallet)
  expect(early).toEqual([])
})

test('a node that lags behind the payouts does not make the signer pay again', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  await withdraw(world, wallet, cotton(3))
  const before = await world.chain.slot('processed')
  await runUntilSettled(world, await world.newSigner(), [wallet])
  await deletePayouts(world, wallet)
  const lagging: Chain = {
    ...world.chain,
    history: async (address, query) =>
      (query.notBefore ?? 0n) <= before ? [] : world.chain.history(address, query),
  }
  await runUntilSettled(world, await world.newSigner(lagging), [wallet])
  await expectPaidOnce(world, wallet)
})

test('a payout in a gap of one node’s history is found on another, and nobody is paid twice', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  await withdraw(world, wallet, cotton(3))
  await runUntilSettled(world, await world.newSigner(), [wallet])
  const paid = await readNewestWithdrawal(world, wallet)
  await deletePayouts(world, wallet)
  const history: Chain['history'] = async (...of) =>
    (await world.chain.history(...of)).filter(({ signature }) => signature !== paid.signature)
  const nodes = [createNode(world.chain, { history }), createNode(world.chain), createNode(world.chain)]
  await runUntilSettled(world, await world.newSigner({ ...world.chain, history, nodes }), [wallet])
  await expectPaidOnce(world, wallet)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ signature: paid.signature })
})

test('a missing payout that one of several nodes shows is not settled, and nothing is signed, until a second node shows it', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  await withdraw(world, wallet, cotton(3))
  await runUntilSettled(world, await world.newSigner(), [wallet])
  await deletePayouts(world, wallet)
  let isLagging = true
  const receipt: Chain['receipt'] = async (...of) => (isLagging ? null : world.chain.receipt(...of))
  const through = (first: Chain['receipt']): Chain => ({
    ...world.chain,
    receipt: first,
    nodes: [createNode(world.chain), createNode(world.chain, { receipt })],
  })
  // Whichever node is queried first.
  for (const first of [world.chain.receipt, receipt]) {
    const signer = await world.newSigner(through(first))
    const round = createSigningRound(signer)
    await waitUntil(async () => (await round(), renewLanes(signer)))
    for (let again = 0; again < 3; again++) await round()
    expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'requested', signature: null })
  }
  isLagging = false
  await runUntilSettled(world, await world.newSigner(through(receipt)), [wallet])
  await expectPaidOnce(world, wallet)
})

test('one of several nodes that misreports the withdrawal of a payout neither settles it nor pauses withdrawals', async () => {
  const [paid, open] = [
    await createPlayerWith(world, { deposited: 9 }),
    await createPlayerWith(world, { deposited: 9 }),
  ]
  await withdraw(world, paid, cotton(5))
  await runUntilSettled(world, await world.newSigner(), [paid])
  const { signature } = await readNewestWithdrawal(world, paid)
  const { id } = await withdraw(world, open, cotton(5))
  const history: Chain['history'] = async (address, query) =>
    (await world.chain.history(address, query)).map((item) =>
      item.signature === signature ? { ...item, memo: `[38] w:${id}` } : item,
    )
  const receipt: Chain['receipt'] = async (of, { tokenAccount }, commitment) => {
    const real = await world.chain.receipt(of, { owner: paid.signer.address, tokenAccount }, commitment)
    const account = await world.chain.tokenAccountOf(open.signer.address)
    const changes = [{ account, owner: open.signer.address, amount: cotton(5) }]
    return real && { ...real, amount: -cotton(5), changes }
  }
  const nodes = [createNode(world.chain, { history, receipt }), createNode(world.chain)]
  await runQuery(world.owner, `delete from settings where name = 'payouts_read_to'`)
  const signer = await world.newSigner({ ...world.chain, history, receipt, nodes })
  expect(await reconcilePayouts(signer)).toBe(false)
  // The same if only its memo is wrong.
  expect(await reconcilePayouts(await world.newSigner({ ...world.chain, history }))).toBe(false)
  expect(await readNewestWithdrawal(world, open)).toMatchObject({ state: 'requested', settledAt: null })
  expect(await readWithdrawable(world.apiDeps, open.address)).toMatchObject({ paused: false })
  await runUntilSettled(world, await world.newSigner(), [open])
  await expectPaidOnce(world, open)
})

test('a memo written by someone else neither settles a withdrawal nor pauses withdrawals', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  const { id } = await withdraw(world, wallet, cotton(5))
  const signer = await createReadySigner(world)
  const mine = await world.chain.tokenAccountOf(wallet.signer.address)
  const instructions = [
    getCreateAssociatedTokenIdempotentInstruction({
      payer: wallet.signer,
      ata: mine,
      owner: wallet.signer.address,
      mint: world.chain.facts.mint,
    }),
    getAddMemoInstruction({ memo: `w:${id}` }, { programAddress: LEGACY_MEMO_PROGRAM_ADDRESS_V3 }),
  ]
  await world.waitUntilFinal(await world.gift(wallet.address, cotton(1)))
  const { mint, decimals } = world.chain.facts
  const touching = getTransferCheckedInstruction({
    source: mine,
    mint,
    destination: signer.treasuryTokens,
    authority: wallet.signer,
    amount: 1n,
    decimals,
  })
  const lifetime = await world.chain.latestBlockhash('confirmed')
  const { wire, signature } = await signWithBlockhash(wallet.signer, lifetime, [...instructions, touching])
  await world.chain.send(wire)
  await world.waitUntilFinal(signature)
  expect(await reconcilePayouts(signer)).toBe(true)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'requested' })
  expect(await readWithdrawable(world.apiDeps, wallet.address)).toMatchObject({ paused: false })
  await runUntilSettled(world, signer, [wallet])
  expect((await readNewestWithdrawal(world, wallet)).signature).not.toBe(signature)
})

test('a payout that the ledger does not owe pauses withdrawals', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  await withdraw(world, wallet, cotton(5))
  await runUntilSettled(world, await world.newSigner(), [wallet])
  await deletePayouts(world, wallet)
  await runQuery(world.owner, `update withdrawals set deposited = deposited + 1 where wallet = $1`, [
    wallet.address,
  ])
  await createSigningRound(await createReadySigner(world))()
  expect(await readWithdrawable(world.apiDeps, wallet.address)).toMatchObject({ paused: true })
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ settledAt: null })
  await runQuery(world.owner, `delete from settings where name = 'withdrawals_paused'`)
})

test('a payout followed by thousands of other transactions is found', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  await withdraw(world, wallet, cotton(3))
  await runUntilSettled(world, await world.newSigner(), [wallet])
  await deletePayouts(world, wallet)
  const noise: HistoryItem[] = Array.from({ length: 2_345 }, (_, at) => ({
    signature: `noise-${at}` as Signature,
    slot: 1n,
    failed: false,
    memo: null,
    commitment: 'finalized',
  }))
  let pages = 0
  const busy: Chain = {
    ...world.chain,
    async history(address, query) {
      pages++
      const at = query.before ? noise.findIndex((item) => item.signature === query.before) : -1
      const rest = query.before && at < 0 ? [] : noise.slice(at + 1, at + 1 + query.limit)
      if (rest.length === query.limit) return rest
      const before = rest.length > 0 || at === noise.length - 1 ? undefined : query.before
      const real = await world.chain.history(address, { ...query, before, limit: query.limit - rest.length })
      return [...rest, ...real]
    },
  }
  await reconcilePayouts(await world.newSigner(busy))
  expect(pages).toBeGreaterThan(2)
  await expectPaidOnce(world, wallet)
  await runQuery(world.owner, `delete from settings where name = 'payouts_read_to'`)
})

test('a payout that only the log of signed payouts contains is paid once', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'cotton-farm-signed-'))
  const signed = openSignedPayoutLog(join(dir, 'signed', 'payouts.log'))
  const wallet = await createPlayerWith(world, { deposited: 100 })
  const { id } = await withdraw(world, wallet, cotton(3))
  await runUntilSettled(world, { ...(await world.newSigner()), signed }, [wallet])
  const { signature } = await readNewestWithdrawal(world, wallet)
  expect(signed.newest()).toEqual([{ id, signature }])
  await deletePayouts(world, wallet)
  // A power failure while a line was written.
  appendFileSync(join(dir, 'signed', 'payouts.log'), `${id} 3x`)
  // The restored database does not contain the payout, and the node has pruned its history.
  const pruned = await world.newSigner({ ...world.chain, history: async () => [] })
  await runUntilSettled(world, { ...pruned, signed }, [wallet])
  await expectPaidOnce(world, wallet)
  rmSync(dir, { recursive: true })
})

test('an unowed payout pauses withdrawals once, and not again after they are resumed', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  await withdraw(world, wallet, cotton(5))
  await runUntilSettled(world, await world.newSigner(), [wallet])
  await runQuery(world.owner, `update withdrawals set state = 'refunded' where wallet = $1`, [wallet.address])
  const paused = async () => (await readWithdrawable(world.apiDeps, wallet.address)).paused
  const forgetCursor = () => runQuery(world.owner, `delete from settings where name = 'payouts_read_to'`)
  await forgetCursor()
  await reconcilePayouts(await world.newSigner())
  expect(await paused()).toBe(true)
  await runQuery(world.owner, `delete from settings where name = 'withdrawals_paused'`)
  await forgetCursor()
  await reconcilePayouts(await world.newSigner())
  expect(await paused()).toBe(false)
  await runQuery(world.owner, `update withdrawals set state = 'finalized' where wallet = $1`, [
    wallet.address,
  ])
})
