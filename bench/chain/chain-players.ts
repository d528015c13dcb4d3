import { generateKeyPairSync, sign } from 'node:crypto'
import { getBase58Decoder } from '@solana/kit'
import * as account from '#contract/account.ts'
import * as deposits from '#contract/deposits.ts'
import type { Route } from '#contract/route.ts'
import * as withdrawals from '#contract/withdrawals.ts'
import { findSignatureSlot } from '#web/wallet/local-test-wallet.ts'

/** A player with a wallet that holds test tokens. All that the game says to them goes over HTTP. */
export type ChainPlayer = {
  address: string
  /** A transfer of so many $COTTON into the game, signed and ready to be sent. */
  prepare(amount: number): Promise<string>
  /** Sends it; gives its signature. */
  submit(transaction: string): Promise<string>
  /** A signed request for so many $COTTON back, ready to be made. */
  ask(amount: number): Promise<object>
  /** Makes it: the tokens are held from this moment. */
  withdraw(asked: object): Promise<void>
}

type Answer = Record<string, string>

/** Logs a fresh wallet in and gives it test tokens. */
export async function enter(game: string): Promise<ChainPlayer> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url')
  const address = getBase58Decoder().decode(key)
  const signed = (bytes: Uint8Array): Buffer => sign(null, bytes, privateKey)
  const signedText = (text: string) => signed(Buffer.from(text)).toString('base64')

  let token = ''
  const call = async ({ method, path }: Route, body: object): Promise<Answer> => {
    const answer = await fetch(game + path, {
      method,
      headers: { 'content-type': 'application/json', ...(token ? { 'x-auth-token': token } : {}) },
      body: JSON.stringify(body),
    })
    const said = (await answer.json()) as Answer
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(said)}`)
    return said
  }
  const { message } = await call(account.requestNonce, { walletAddress: address })
  const proof = { signature: signedText(message!), message, walletAddress: address }
  token = (await call(account.verifyWallet, proof)).token!
  await call(deposits.useFaucet, { walletAddress: address })

  return {
    address,
    async prepare(amount) {
      const { transaction } = await call(deposits.prepareDeposit, { amount })
      const bytes = Buffer.from(transaction!, 'base64')
      const slot = findSignatureSlot(bytes, key)
      signed(slot.message).copy(bytes, slot.offset)
      return bytes.toString('base64')
    },
    submit: async (transaction) => (await call(deposits.submitDeposit, { transaction })).signature!,
    async ask(amount) {
      const challenge = await call(withdrawals.challengeWithdrawal, { amount })
      return { amount, message: challenge.message!, signature: signedText(challenge.message!) }
    },
    async withdraw(asked) {
      await call(withdrawals.requestWithdrawal, asked)
    },
  }
}
