import { generateKeyPairSigner, getBase64Decoder, type KeyPairSigner } from '@solana/kit'
import { verifyAsync } from '@noble/ed25519'
import { beforeAll, expect, test } from 'vitest'
import { signByWallet } from '#local-chain/test-chain.ts'
import type { Address, BlockhashLifetime, Nonce, Wire } from './port.ts'
import { readTransfer } from './read-transaction.ts'
import { buildPayout, buildTransfer, MAX_UNIT_PRICE_MICROLAMPORTS } from './transactions.ts'

const TOKEN = {
  mint: 'So11111111111111111111111111111111111111112' as Address,
  decimals: 6,
  tokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address,
}
const LIFETIME = {
  blockhash: '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY',
  lastValidBlockHeight: 1n,
} as BlockhashLifetime

let wallet: KeyPairSigner
let deposit: KeyPairSigner

beforeAll(async () => {
  wallet = await generateKeyPairSigner()
  deposit = await generateKeyPairSigner()
})

const transfer = (amount = 5n) =>
  buildTransfer({
    token: TOKEN,
    wallet: wallet.address,
    depositOwner: deposit.address,
    amount,
    reference: 'r1',
    lifetime: LIFETIME,
  })

const payoutAt = (unitPriceMicrolamports = 0n) =>
  buildPayout({
    token: TOKEN,
    treasury: deposit,
    lane: { nonceAccount: wallet.address, nonce: LIFETIME.blockhash as string as Nonce },
    wallet: wallet.address,
    amount: 1n,
    id: '1',
    unitPriceMicrolamports,
  })

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64') as Wire

test('a signed deposit returns with unchanged message bytes and a valid signature', async () => {
  const { message, wire } = await transfer()
  const unsigned = readTransfer(wire)
  expect(unsigned).toMatchObject({ signer: wallet.address, signature: null })
  const back = readTransfer(await signByWallet(wallet, wire))!
  expect(back.signer).toBe(wallet.address)
  expect(getBase64Decoder().decode(back.message)).toBe(getBase64Decoder().decode(message))
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', wallet.keyPair.publicKey))
  expect(await verifyAsync(Uint8Array.from(back.signature!), Uint8Array.from(back.message), publicKey)).toBe(
    true,
  )
})

test('equal deposits have equal bytes, and another amount has different bytes', async () => {
  expect((await transfer()).wire).toBe((await transfer()).wire)
  expect((await transfer(6n)).wire).not.toBe((await transfer()).wire)
})

test('anything but a well-formed transaction with one signer reads as null', async () => {
  const bytes = Buffer.from((await transfer()).wire, 'base64')
  const payout = await payoutAt()
  expect(readTransfer(payout.wire)).toMatchObject({ signer: deposit.address, id: payout.signature })
  const twoSigners = Buffer.concat([Buffer.from([2]), Buffer.alloc(64), bytes.subarray(1)])
  twoSigners[1 + 128 + 1] = 2
  expect(readTransfer(base64(twoSigners))).toBeNull()
  for (const text of ['', 'no base64!', base64(bytes).slice(0, -3), `${base64(bytes)} `])
    expect(readTransfer(text)).toBeNull()
  expect(readTransfer(base64(Buffer.concat([bytes, Buffer.from([0])])))).toBeNull()
})

test('the priority fee of a payout has an upper limit', async () => {
  const highest = await payoutAt(MAX_UNIT_PRICE_MICROLAMPORTS)
  expect(await payoutAt(10n ** 15n)).toEqual(highest)
  expect(await payoutAt(1n)).not.toEqual(highest)
})

test('a transfer of zero is refused', async () => {
  await expect(transfer(0n)).rejects.toThrow('cannot transfer 0 base units')
})
