import { generateKeyPairSync, sign } from 'node:crypto'
import type { BrowserContext } from '@playwright/test'
import { getBase58Decoder } from '@solana/kit'
import { findSignatureSlot } from '#web/wallet/signature-slot.ts'

type CallBody = Partial<{
  code: string
  message: string
  token: string
  transaction: string
  creditBalance: number
}>

/** A player whose wallet is in the test and not in a browser. */
export type Player = {
  address: string
  token: string
  /** Calls the API as this player. Returns status and body. */
  call: (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<{ status: number; body: CallBody }>
  /** The wallet's signature of a message, in base64. */
  sign: (message: string) => string
  /** A transfer to the game that the wallet has signed, in base64. */
  signDeposit: (amount: number) => Promise<string>
  /** Logs in once more, as on another device. Returns the token of the new session. */
  logInAgain: () => Promise<string>
  /** Buys a parcel through the API, as if in another window. */
  buy: (parcelId: string) => Promise<void>
}

/** Logs in a new wallet and deposits test tokens through API and chain, which is faster than clicking. */
export async function createFundedPlayer(deposit: number, gameUrl = process.env.GAME_URL): Promise<Player> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url')
  const address = getBase58Decoder().decode(key)
  const signed = (bytes: Uint8Array): Buffer => sign(null, bytes, privateKey)

  let token = ''
  const call: Player['call'] = async (method, path, body) => {
    const answer = await fetch(`${gameUrl}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { 'x-auth-token': token } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as CallBody }
  }
  const ask = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const answer = await call(method, path, body)
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  const signMessage = (message: string): string => signed(Buffer.from(message)).toString('base64')
  const logInAgain = async (): Promise<string> => {
    const { message } = await ask('POST', '/api/users/nonce', { walletAddress: address })
    const proof = { signature: signMessage(message!), message, walletAddress: address }
    return (await ask('POST', '/api/users/verify-wallet', proof)).token!
  }
  token = await logInAgain()

  const signDeposit = async (amount: number): Promise<string> => {
    const { transaction } = await ask('POST', '/api/deposits/transaction', { amount })
    const bytes = Buffer.from(transaction!, 'base64')
    const { offset, message: toSign } = findSignatureSlot(bytes, key)
    signed(toSign).copy(bytes, offset)
    return bytes.toString('base64')
  }
  if (deposit > 0) {
    await ask('POST', '/api/local/faucet', { walletAddress: address })
    await ask('POST', '/api/deposits/submit', { transaction: await signDeposit(deposit) })
    for (let credited = 0; credited < deposit;) {
      await new Promise((wait) => setTimeout(wait, 300))
      credited = (await ask('GET', `/api/users/wallet/${address}`)).creditBalance!
    }
  }

  const buy = async (parcelId: string): Promise<void> => {
    await ask('POST', '/api/parcels/purchase', { parcelId, walletAddress: address })
  }
  return { address, token, call, sign: signMessage, signDeposit, logInAgain, buy }
}

/** Logs in the player on every page of the context. */
export async function playAs(
  context: BrowserContext,
  { address, token }: Pick<Player, 'address' | 'token'>,
): Promise<void> {
  await context.addInitScript(
    ([walletAddress, token]) => {
      localStorage.setItem('token', token!)
      localStorage.setItem('walletAddress', walletAddress!)
    },
    [address, token],
  )
}
