import { expect } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { call, serveApp } from '#tests/support/serve-app.ts'
import { type Request, type SigningWallet, SIGNING_WALLETS } from '#tests/support/signing-wallets.ts'
import { signingKeyOf, testPlayer, type TestPlayer } from '#tests/support/test-player.ts'
import { test } from '#tests/support/test-world.ts'

let app: FastifyInstance
test.beforeAll(async ({ world }) => {
  app = await serveApp(world)
})

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** The body of a login that a wallet of this kind signs. */
async function loginBody(wallet: SigningWallet, player: TestPlayer) {
  const walletAddress = player.wallet
  const asked = await call(app, 'POST', '/api/users/nonce', { body: { walletAddress, form: wallet.form } })
  const request = asked.body as Request
  const { signature, signedMessage } = await wallet.sign(signingKeyOf(player), request)
  return {
    walletAddress,
    message: request.message,
    signature: base64(signature),
    ...(signedMessage && { signedMessage: base64(signedMessage) }),
  }
}

const verify = (body: object) => call(app, 'POST', '/api/users/verify-wallet', { body })

test.for(SIGNING_WALLETS)('a wallet that $name logs in, once for each nonce', async (wallet) => {
  const body = await loginBody(wallet, testPlayer())
  const answer = await verify(body)
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
  expect((await call(app, 'GET', '/api/users/history', { token: String(answer.body.token) })).status).toBe(
    200,
  )
  expect(await verify(body)).toMatchObject({ status: 401, body: { code: 'login_expired' } })
})

test('the browser gets a sign-in input or a transaction only if it asks for one', async () => {
  const walletAddress = testPlayer().wallet
  const fields = async (form?: string) => {
    const { body } = await call(app, 'POST', '/api/users/nonce', { body: { walletAddress, form } })
    return Object.keys(body).toSorted()
  }
  expect(await fields()).toEqual(['message', 'nonce', 'success'])
  expect(await fields('message')).toEqual(['message', 'nonce', 'success'])
  expect(await fields('sign-in')).toEqual(['message', 'nonce', 'signIn', 'success'])
  expect(await fields('transaction')).toEqual(['message', 'nonce', 'success', 'transaction'])
  const unknown = await call(app, 'POST', '/api/users/nonce', { body: { walletAddress, form: 'raw' } })
  expect(unknown).toMatchObject({ status: 400, body: { code: 'malformed' } })
})

test('bytes that fit no form are refused with a code of their own, and the nonce stays valid', async () => {
  const player = testPlayer()
  const body = await loginBody(SIGNING_WALLETS[1]!, player)
  const other = Buffer.from('anything else')
  const signedMessage = base64(other)
  const refusal = await verify({ ...body, signedMessage, signature: base64(player.sign(other)) })
  expect(refusal).toMatchObject({ status: 401, body: { code: 'signed_form_unknown' } })
  expect((await verify(body)).status).toBe(200)
})
