import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token'
import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { type Chain, ChainUnavailable, memoTexts, type Wire } from '#server/chain/port.ts'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import { readWithdrawalSettings } from '#server/platform/withdrawal-settings.ts'
import { readWithdrawals } from '#server/withdrawals/read-withdrawals.ts'
import { pauseWithdrawals, readPause } from '#server/withdrawals/withdrawal-pause.ts'
import {
  readNewestWithdrawal,
  createPlayerWith,
  runUntilSettled,
  withdraw,
} from '#tests/support/chain-test-players.ts'
import { runQuery, type TestWallet, waitUntil } from '#tests/support/chain-test-world.ts'
import { closeTokenAccount } from '#tests/support/payouts.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { createSigningRound } from '../start-signer.ts'
import type { Signer } from '../signer.ts'
import { readTreasuryFunds } from './read-treasury-funds.ts'
import { readCappedUnitPrice, nextUnitPrice } from './unit-price.ts'
import { alarmsFor, readTreasuryState, watchTreasury } from '../sweeps/watch-treasury.ts'

const world = setUpChainTestWorld()

const DAY_MS = 24 * 60 * 60_000

type Signed = {
  attempt: number
  signature: string
  wire: Buffer
  nonce: string
  price: bigint
  opens: boolean
}

const signedFor = (id: string) =>
  runQuery<Signed>(
    world.owner,
    `select 1 as attempt, signature, wire, nonce, unit_price as price, opens_account as opens from payouts where withdrawal_id = $1
     union all
     select r.attempt, r.signature, r.wire, p.nonce, r.unit_price, false from payout_replacements r
     join payouts p using (withdrawal_id) where withdrawal_id = $1 order by attempt`,
    [id],
  )

async function landed(id: string): Promise<string[]> {
  const { treasuryTokens } = await world.newSigner()
  const items = await world.chain.history(treasuryTokens, { limit: 1000, commitment: 'finalized' })
  return items
    .filter((item) => !item.failed && memoTexts(item.memo).includes(`w:${id}`))
    .map(({ signature }) => signature)
}

test('the unit price follows the market within the cap, and doubles with each attempt up to it', async () => {
  expect(nextUnitPrice({ last: 0n, market: 0n, cap: 5_000n })).toBe(1_000n)
  expect(nextUnitPrice({ last: 1_000n, market: 0n, cap: 5_000n })).toBe(2_000n)
  expect(nextUnitPrice({ last: 1_000n, market: 4_500n, cap: 5_000n })).toBe(4_500n)
  expect(nextUnitPrice({ last: 4_500n, market: 90_000n, cap: 5_000n })).toBe(5_000n)
  expect(nextUnitPrice({ last: 5_000n, market: 90_000n, cap: 5_000n })).toBeNull()
  const signer = await world.newSigner()
  const priceFrom = async (unitPrice: Chain['unitPrice']) =>
    readCappedUnitPrice({ ...signer, chain: { ...world.chain, unitPrice } })
  expect(await priceFrom(async () => 7n)).toBe(7n)
  expect(await priceFrom(async () => 10n ** 12n)).toBe(2_000_000n)
  expect(await priceFrom(() => Promise.reject(new ChainUnavailable('no such method')))).toBe(0n)
})

test('the cost of a payout includes a priority fee that is rounded up, as the chain charges it', async () => {
  const signer = await world.newSigner()
  const costAt = async (price: bigint) => {
    const chain: Chain = { ...world.chain, unitPrice: async () => price }
    return (await readTreasuryFunds({ ...signer, chain }, [])).costOf(false)
  }
  expect(await costAt(0n)).toBe(5_000n)
  expect(await costAt(7n)).toBe(5_002n)
  expect(await costAt(20n)).toBe(5_003n)
})

test('a payout that no block includes is replaced on the same nonce with a higher fee, and exactly one lands', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  const { id } = await withdraw(world, wallet, cotton(7))
  let clogged = true
  const signer = await world.newSigner({
    ...world.chain,
    send: async (wire, options) => {
      const ours = (await signedFor(id)).some((each) => each.wire.toString('base64') === wire)
      return clogged && ours ? { state: 'unknown', detail: 'lost' } : world.chain.send(wire, options)
    },
  })
  const settings = readWithdrawalSettings({ PRIORITY_FEE_CAP: '5000' })
  const round = createSigningRound({ ...signer, settings })
  await waitUntil(async () => {
    await round()
    return (await signedFor(id)).length === 1
  })
  await round()
  expect(await signedFor(id)).toHaveLength(1)
  const waits = [31_000, 45_000, 20_000, 100_000, 30_000, -3_600_000, 7_200_000]
  const attempts: number[] = []
  for (const wait of waits) {
    world.clock.skip(wait)
    await round()
    attempts.push((await signedFor(id)).length)
  }
  // Each attempt has twice the timeout of the previous one, and a clock that is set back ends it. At the cap there are no
  // more replacements.
  expect(attempts).toEqual([2, 2, 3, 3, 4, 5, 5])
  const all = await signedFor(id)
  expect(all.map((each) => each.price)).toEqual([0n, 1_000n, 2_000n, 4_000n, 5_000n])
  expect(new Set(all.map((each) => each.nonce)).size).toBe(1)
  // The congestion ends, and all signed transactions arrive at once, oldest first.
  clogged = false
  await Promise.all(
    all.map((each) => world.chain.send(each.wire.toString('base64') as Wire, { skipPreflight: true })),
  )
  await runUntilSettled(world, signer, [wallet])
  const paidBy = await landed(id)
  expect(paidBy).toHaveLength(1)
  expect(all.map((each) => each.signature)).toContain(paidBy[0])
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({
    state: 'finalized',
    signature: paidBy[0],
  })
  expect(await world.tokenBalanceOf(wallet.address)).toBe(cotton(7))
})

test('a payout is not replaced if withdrawals are paused while its nonce is read', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  const { id } = await withdraw(world, wallet, cotton(7))
  let pauses = false
  const signer = await world.newSigner({
    ...world.chain,
    send: async (wire, options) => {
      const ours = (await signedFor(id)).some((each) => each.wire.toString('base64') === wire)
      return ours ? { state: 'unknown', detail: 'lost' } : world.chain.send(wire, options)
    },
    nonceValue: async (account, commitment, of) => {
      if (pauses && commitment === 'processed')
        await pauseWithdrawals(world.owner, { why: 'a test', now: world.clock.now() })
      return world.chain.nonceValue(account, commitment, of)
    },
  })
  const round = createSigningRound(signer)
  await waitUntil(async () => {
    await round()
    return (await signedFor(id)).length === 1
  })
  world.clock.skip(31_000)
  pauses = true
  await round()
  expect(await readPause(world.owner)).not.toBeNull()
  expect(await signedFor(id)).toHaveLength(1)
  await runQuery(world.owner, `delete from settings where name = 'withdrawals_paused'`)
  await runUntilSettled(world, await world.newSigner(), [wallet])
})

test('a replacement that a restored database does not contain settles its withdrawal when it lands', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  const { id } = await withdraw(world, wallet, cotton(7))
  const sent: Wire[] = []
  const silent = await world.newSigner({
    ...world.chain,
    send: async (wire, options) => {
      const ours = (await signedFor(id)).some((each) => each.wire.toString('base64') === wire)
      if (!ours) return world.chain.send(wire, options)
      sent.push(wire)
      return { state: 'unknown', detail: 'lost' }
    },
  })
  const round = createSigningRound(silent)
  await waitUntil(async () => {
    await round()
    return sent.length > 0
  })
  world.clock.skip(31_000)
  await round()
  const [first, second] = await signedFor(id)
  await world.owner.transaction(async (tx) => {
    await runQuery(tx, 'set local session_replication_role = replica')
    await runQuery(tx, 'delete from payout_replacements where withdrawal_id = $1', [id])
  })
  await world.chain.send(second!.wire.toString('base64') as Wire, { skipPreflight: true })
  await runUntilSettled(world, await world.newSigner(), [wallet])
  expect(await landed(id)).toEqual([second!.signature])
  expect(first!.signature).not.toBe(second!.signature)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({
    state: 'finalized',
    signature: second!.signature,
  })
  expect(await world.tokenBalanceOf(wallet.address)).toBe(cotton(7))
})

test('the treasury pays for a wallet’s token account once in thirty days', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  // The deposit opened an account. The wallet closes it.
  await closeTokenAccount(world, wallet)
  const opened = async () => {
    const { id } = await withdraw(world, wallet, cotton(5))
    const signer = await world.newSigner()
    await runUntilSettled(world, signer, [wallet])
    return (await signedFor(id))[0]!.opens
  }
  expect(await opened()).toBe(true)
  expect(await opened()).toBe(false)
  await closeTokenAccount(world, wallet)
  const { id } = await withdraw(world, wallet, cotton(5))
  const signer = await world.newSigner()
  const round = createSigningRound(signer)
  await waitUntil(async () => {
    await round()
    return (await readNewestWithdrawal(world, wallet)).reasons.length > 0
  })
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({
    id,
    state: 'requested',
    reasons: ['account_closed'],
    reason: expect.stringContaining('within the last 30 days'),
    signature: null,
  })
  world.clock.skip(31 * DAY_MS)
  await runUntilSettled(world, signer, [wallet])
  expect((await signedFor(id))[0]!.opens).toBe(true)
})

test('while a payout opens the token account of a wallet, its next one waits and opens none', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  await closeTokenAccount(world, wallet)
  const requested = [await withdraw(world, wallet, cotton(5)), await withdraw(world, wallet, cotton(6))]
  const signed = async () => (await Promise.all(requested.map(({ id }) => signedFor(id)))).flat()
  let clogged = true
  const signer = await world.newSigner({
    ...world.chain,
    send: async (wire, options) => {
      const ours = (await signed()).some((each) => each.wire.toString('base64') === wire)
      return clogged && ours ? { state: 'unknown', detail: 'lost' } : world.chain.send(wire, options)
    },
  })
  const round = createSigningRound(signer)
  await waitUntil(async () => {
    await round()
    const shown = await readWithdrawals(world.api, wallet.address)
    return shown.some(({ reasons }) => reasons.includes('account_opening'))
  })
  expect(await signed()).toMatchObject([{ opens: true }])
  clogged = false
  await runUntilSettled(world, signer, [wallet])
  expect((await signed()).filter(({ opens }) => opens)).toHaveLength(1)
  expect(await world.tokenBalanceOf(wallet.address)).toBe(cotton(11))
})

test('a player who reopens the account is paid at once', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  await closeTokenAccount(world, wallet)
  await withdraw(world, wallet, cotton(5))
  const signer = await world.newSigner()
  await runUntilSettled(world, signer, [wallet])
  await closeTokenAccount(world, wallet)
  await withdraw(world, wallet, cotton(5))
  const round = createSigningRound(signer)
  await waitUntil(async () => {
    await round()
    return (await readNewestWithdrawal(world, wallet)).reasons.includes('account_closed')
  })
  const ata = await world.chain.tokenAccountOf(wallet.signer.address)
  const { mint } = world.chain.facts
  const opening = getCreateAssociatedTokenIdempotentInstruction({
    payer: wallet.signer,
    ata,
    owner: wallet.signer.address,
    mint,
  })
  const { wire, signature } = await signWithBlockhash(
    wallet.signer,
    await world.chain.latestBlockhash('confirmed'),
    [opening],
  )
  await world.chain.send(wire)
  await world.waitUntilFinal(signature)
  await runUntilSettled(world, signer, [wallet])
  expect(await world.tokenBalanceOf(wallet.address)).toBe(cotton(5))
})

/** Expects that the newest withdrawal of the wallet waits until `repair`, and is paid after it. */
async function expectPaidAfter(
  repair: () => void,
  of: { signer: Signer; wallet: TestWallet },
): Promise<void> {
  const { signer, wallet } = of
  const round = createSigningRound(signer)
  await waitUntil(async () => {
    await round()
    return (await readNewestWithdrawal(world, wallet)).reasons.length > 0
  })
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({
    reasons: ['treasury_short'],
    signature: null,
  })
  repair()
  await runUntilSettled(world, signer, [wallet])
  expect(await world.tokenBalanceOf(wallet.address)).toBe(cotton(5))
}

test('without SOL for the fee a withdrawal waits with a reason, and is paid after a top-up', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  await withdraw(world, wallet, cotton(5))
  let lamports = 1_000n
  const poor = await world.newSigner({ ...world.chain, lamports: async () => lamports })
  await expectPaidAfter(() => (lamports = 10n ** 9n), { signer: poor, wallet })
})

test('while the treasury’s token account is frozen a withdrawal waits for no fee, and is paid after the thaw', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  await withdraw(world, wallet, cotton(5))
  let frozen = true
  const signer = await world.newSigner({
    ...world.chain,
    async tokenAccount(...of) {
      const account = await world.chain.tokenAccount(...of)
      return account && { ...account, frozen }
    },
  })
  await expectPaidAfter(() => (frozen = false), { signer, wallet })
})

test('a treasury below its floor or above its cap raises one alarm, which lasts until the balance is back in bounds', async () => {
  const { treasury: bounds } = readWithdrawalSettings({
    TREASURY_TOKENS_FLOOR: '100',
    TREASURY_TOKENS_CAP: '1000',
    TREASURY_SOL_FLOOR: '1',
    TREASURY_SOL_CAP: '3',
  })
  const SOL = 10n ** 9n
  expect(alarmsFor({ tokens: cotton(100), lamports: SOL }, bounds)).toEqual([])
  expect(alarmsFor({ tokens: cotton(1_000), lamports: 3n * SOL }, bounds)).toEqual([])
  expect(alarmsFor({ tokens: cotton(99), lamports: SOL - 1n }, bounds)).toEqual(['tokens_low', 'sol_low'])
  expect(alarmsFor({ tokens: cotton(1_001), lamports: 3n * SOL + 1n }, bounds)).toEqual([
    'tokens_high',
    'sol_high',
  ])

  const errors: object[] = []
  const own = await world.newSigner()
  let lamports = 5n * SOL
  const chain: Chain = {
    ...world.chain,
    facts: { ...world.chain.facts, cluster: 'mainnet' },
    tokenBalance: async () => cotton(50),
    lamports: async () => lamports,
  }
  const log = {
    ...own.log,
    error: (facts: object) => void errors.push(facts),
    info: () => {},
  } as unknown as Signer['log']
  const signer: Signer = { ...own, chain, log, settings: { ...own.settings, treasury: bounds } }
  for (let round = 0; round < 3; round++) await watchTreasury(signer)
  expect(errors).toMatchObject([{ alarm: 'tokens_low' }, { alarm: 'sol_high' }])
  expect(await readTreasuryState(world.owner)).toMatchObject({
    address: own.treasury.address,
    tokens: cotton(50),
    lamports: 5n * SOL,
    alarms: ['tokens_low', 'sol_high'],
  })
  lamports = 2n * SOL
  await watchTreasury(signer)
  expect((await readTreasuryState(world.owner))!.alarms).toEqual(['tokens_low'])
  expect(errors).toHaveLength(2)
})
