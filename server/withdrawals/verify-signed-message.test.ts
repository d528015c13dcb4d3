import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { SITE } from '#tests/support/chain-test-world.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { verifySignedMessage } from './verify-signed-message.ts'
import { withdrawalMessage } from './withdrawal-message.ts'

const player = testPlayer()
const nonce = '0123456789abcdef0123456789abcdef'
const message = withdrawalMessage(SITE, { wallet: player.wallet, amount: cotton(5), nonce })

const verify = (over: { message: string; signed: string }) =>
  verifySignedMessage(SITE, {
    wallet: player.wallet,
    amount: cotton(5),
    message: over.message,
    signature: player.sign(over.signed).toString('base64'),
  })

test('a verified request returns nonce, signature and signed form', async () => {
  expect(await verify({ message, signed: message })).toEqual({
    nonce,
    walletSignature: player.sign(message),
    signedForm: 'raw',
  })
})

test('a message without a nonce is refused, though its wallet signed it', async () => {
  const without = message.replace(nonce, 'null')
  await expect(verify({ message: without, signed: without })).rejects.toThrow('signature_failed')
})

test('a changed message is refused, though its wallet signed the one that the server expects', async () => {
  for (const changed of [`${message}\n`, message.replace('Amount: 5', 'Amount: 50')])
    await expect(verify({ message: changed, signed: message })).rejects.toThrow('signature_failed')
})
