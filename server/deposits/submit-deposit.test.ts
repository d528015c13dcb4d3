import { beforeAll, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { SendResult } from '#server/chain/port.ts'
import { readTransfer } from '#server/chain/read-transaction.ts'
import { buildTransfer } from '#server/chain/transactions.ts'
import { Refused } from '#server/platform/answer.ts'
import { readCreditOf, signWire, type TestWallet } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { checkDeposit } from './check-deposit.ts'
import { prepareDeposit } from './prepare-deposit.ts'
import { submitDeposit } from './submit-deposit.ts'

const world = setUpChainTestWorld()
let deps: Parameters<typeof submitDeposit>[0]
let ana: TestWallet
let bob: TestWallet

beforeAll(async () => {
  deps = { db: world.api, chain: world.chain, clock: world.clock }
  ;[ana, bob] = await Promise.all([world.wallet(), world.wallet()])
  await world.waitUntilFinal(await world.gift(ana.address, cotton(1_000)))
})

const prepare = (wallet: TestWallet, whole = 10) =>
  prepareDeposit(deps, { wallet: wallet.address, amount: cotton(whole) })

const sign = (wallet: TestWallet, transaction: string) =>
  signWire(wallet, transaction, Uint8Array.from(readTransfer(transaction)!.message))

async function refusalOf(wallet: TestWallet, transaction: string) {
  const error: unknown = await submitDeposit(deps, { wallet: wallet.address, transaction }).catch(
    (thrown) => thrown,
  )
  return error instanceof Refused ? error.refusal.code : `not refused: ${String(error)}`
}

test('a prepared and signed deposit can be submitted repeatedly, and is credited once', async () => {
  const { transaction, depositWallet } = await prepare(ana)
  const signed = await sign(ana, transaction)
  const submit = () => submitDeposit(deps, { wallet: ana.address, transaction: signed })
  const signatures = [await submit(), await submit()]
  expect(new Set(signatures).size).toBe(1)
  await world.waitUntilFinal(signatures[0]!)
  expect(await submit()).toBe(signatures[0])
  expect(await world.tokenBalanceOf(depositWallet)).toBe(cotton(10))
  expect(await checkDeposit(deps, ana.address)).toMatchObject({
    newDeposit: true,
    amount: 10,
    newBalance: 10,
  })
  expect((await readCreditOf(world.owner, ana.address)).deposited).toBe(cotton(10))
})

test('only the wallet that a deposit was prepared for can send it', async () => {
  const { transaction } = await prepare(ana)
  expect(await refusalOf(bob, await sign(ana, transaction))).toBe('transaction_not_ours')
  expect(await refusalOf(bob, await sign(bob, transaction))).toBe('transaction_not_ours')
})

test('a deposit without its wallet’s signature is not sent', async () => {
  const { transaction } = await prepare(ana)
  expect(await refusalOf(ana, transaction)).toBe('signature_failed')
  expect(await refusalOf(ana, await sign(bob, transaction))).toBe('signature_failed')
})

test('a transfer that was changed, or that the game never built, is not sent', async () => {
  const { transaction } = await prepare(ana)
  const bytes = Buffer.from(await sign(ana, transaction), 'base64')
  // Flip one bit of the transfer's amount.
  const changed = Buffer.from(bytes)
  changed[changed.indexOf(Buffer.from([12, ...amountBytes(cotton(10))])) + 1]! ^= 1
  const own = await buildTransfer({
    token: world.chain.facts,
    wallet: ana.signer.address,
    depositOwner: bob.signer.address,
    amount: cotton(10),
    reference: 'own',
    lifetime: await world.chain.latestBlockhash('confirmed'),
  })
  for (const wire of [
    await sign(ana, changed.toString('base64')),
    await sign(ana, own.wire),
    bytes.subarray(0, -1).toString('base64'),
    Buffer.concat([bytes, Buffer.of(0)]).toString('base64'),
    bytes.toString('base64').replace(/.$/, '!'),
    'AAAA',
    '',
  ]) {
    expect(await refusalOf(ana, wire)).toBe('transaction_not_ours')
  }
})

const amountBytes = (units: bigint): number[] => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(units)
  return [...bytes]
}

test('a deposit whose result is unknown, or that a node rejects, is refused with that reason', async () => {
  const signed = await sign(ana, (await prepare(ana)).transaction)
  const refusalAfter = async (sent: SendResult) => {
    const chain = { ...world.chain, send: async () => sent }
    const submitted = submitDeposit({ ...deps, chain }, { wallet: ana.address, transaction: signed })
    return submitted.catch((error: Refused) => error.refusal)
  }
  expect(await refusalAfter({ state: 'unknown', detail: '' })).toMatchObject({ code: 'chain_unreachable' })
  expect(await refusalAfter({ state: 'rejected', reason: 'lifetime_over', detail: '' })).toMatchObject({
    code: 'transaction_rejected',
    facts: { reason: expect.stringContaining('waited too long') },
  })
  const processed = { state: 'rejected', reason: 'already_processed', detail: '' } as const
  expect(await refusalAfter(processed)).toBe(readTransfer(signed)!.id)
})

test('a prepared deposit is valid for two minutes', async () => {
  const { transaction } = await prepare(ana)
  world.clock.skip(2 * 60_000 + 1)
  expect(await refusalOf(ana, await sign(ana, transaction))).toBe('transaction_not_ours')
})

test('a deposit of more than the wallet holds is refused with the reason', async () => {
  const { transaction } = await prepare(ana, 1_000_000)
  const error: unknown = await submitDeposit(deps, {
    wallet: ana.address,
    transaction: await sign(ana, transaction),
  }).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(Refused)
  const { code, facts } = (error as Refused).refusal
  expect(code).toBe('transaction_rejected')
  expect(facts.reason).toMatch(/\$COTTON/)
})
