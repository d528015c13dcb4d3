import { randomBytes } from 'node:crypto'
import { generateKeyPairSigner, getBase58Encoder, type KeyPairSigner, signBytes } from '@solana/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { startTestChain, type TestChain } from '#local-chain/test-chain.ts'
import { loginText } from '#server/account/log-in.ts'
import type { Wire } from '#server/chain/port.ts'
import { buildNonceAccount, NONCE_ACCOUNT_BYTES } from '#server/chain/transactions.ts'
import { siteOf } from '#server/platform/site.ts'
import { withdrawalText } from '#server/withdrawals/withdrawal-message.ts'
import { memoTransaction } from './memo-transaction.ts'
import type { TextToSign } from './text-to-sign.ts'

const SITE = siteOf({ publicUrl: 'http://farm.test' }, 'local')

let world: TestChain
let payers: KeyPairSigner[]

beforeAll(async () => {
  world = await startTestChain()
  payers = await Promise.all(Array.from({ length: 10 }, () => world.wallet()))
})
afterAll(() => world.stop())

function textOf(wallet: string, at: number): TextToSign {
  if (at % 2 === 0) return loginText(SITE, { wallet, nonce: randomBytes(38).toString('hex') })
  return withdrawalText(SITE, { wallet, amount: cotton(at), nonce: randomBytes(16).toString('hex') })
}

/** Offsets in the message: header, number of keys, three keys, blockhash. */
const BLOCKHASH_AT = 3 + 1 + 3 * 32

/** The memo transaction signed by its wallet, on this blockhash or on its own. */
async function signed(payer: KeyPairSigner, toSign: TextToSign, blockhash?: string): Promise<Wire> {
  const message = Uint8Array.from(memoTransaction(toSign).messageBytes)
  if (blockhash !== undefined) message.set(getBase58Encoder().encode(blockhash), BLOCKHASH_AT)
  const signature = await signBytes(payer.keyPair.privateKey, message)
  return Buffer.concat([Buffer.of(1), signature, message]).toString('base64') as Wire
}

const lamportsOf = () => Promise.all(payers.map(({ address }) => world.chain.lamports(address, 'processed')))

test('of 1,000 signed memo transactions the chain refuses 1,000, and none lands without preflight', async () => {
  const before = await lamportsOf()
  const trySending = async (_: unknown, at: number): Promise<string> => {
    const payer = payers[at % payers.length]!
    const wire = await signed(payer, textOf(payer.address, at))
    const sent = await world.chain.send(wire)
    if (at % 10 === 0) await world.chain.send(wire, { skipPreflight: true })
    return sent.state === 'rejected' ? sent.reason : sent.state
  }
  const reasons: string[] = []
  for (let round = 0; round < 20; round++)
    reasons.push(...(await Promise.all(Array.from({ length: 50 }, trySending))))
  expect(reasons.filter((reason) => reason === 'lifetime_over')).toHaveLength(1_000)
  // A transfer that is sent afterwards is final, so whatever was going to land has landed.
  await world.give(payers[0]!.address, { baseUnits: 1n })
  expect(await lamportsOf()).toEqual(before)
})

test('only its blockhash keeps it from landing: the same transaction on a recent one is accepted', async () => {
  const payer = payers[1]!
  const { blockhash } = await world.chain.latestBlockhash('confirmed')
  const sent = await world.chain.send(await signed(payer, textOf(payer.address, 0), blockhash))
  expect(sent.state).toBe('accepted')
})

test('its blockhash is not a durable nonce either, because its first instruction does not advance one', async () => {
  const treasury = payers[2]!
  const nonceAccount = await generateKeyPairSigner()
  const rent = await world.chain.rentFor(Number(NONCE_ACCOUNT_BYTES))
  const lifetime = await world.chain.latestBlockhash('confirmed')
  const { wire, signature } = await buildNonceAccount({ nonceAccount, treasury, rent, lifetime })
  expect((await world.chain.send(wire)).state).toBe('accepted')
  await world.until(signature, 'finalized')
  const nonce = await world.chain.nonceValue(nonceAccount.address, 'finalized')
  const sent = await world.chain.send(await signed(treasury, textOf(treasury.address, 0), nonce!))
  expect(sent).toMatchObject({ state: 'rejected', reason: 'lifetime_over' })
})
