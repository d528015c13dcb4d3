import { readTransfer } from '#server/chain/read-transaction.ts'
import { newWallet, signWire, type TestWallet } from './chain-test-world.ts'
import { waitFor } from './run-server.ts'

type Answer = Record<string, unknown>

export type PlayedWithdrawal = {
  /** Of the withdrawal. */
  id: string
  /** Of the payout on the chain. */
  signature: string
  /** What only the player may know or have signed. */
  secrets: { token: string; loginSignature: string; withdrawalSignature: string }
}

/** A new player logs in, deposits and withdraws at a running game, until the payout is final. */
export async function playWithdrawal(
  url: string,
  { traceparent }: { traceparent?: string } = {},
): Promise<PlayedWithdrawal> {
  const wallet = await newWallet()
  const { call, login } = await logIn(url, wallet)
  await deposit(wallet, call)
  const challenge = await call('/api/users/withdrawals/challenge', { amount: 20 })
  const withdrawalSignature = await wallet.sign(challenge.message as string)
  await call(
    '/api/users/withdrawals',
    { amount: 20, message: challenge.message, signature: withdrawalSignature },
    traceparent ? { traceparent } : {},
  )
  const paid = await waitFor('the payout', async () => {
    const { withdrawals } = await call('/api/users/withdrawals')
    const [newest] = withdrawals as { id: string; state: string; signature: string }[]
    return newest?.state === 'finalized' ? newest : null
  })
  return { id: paid.id, signature: paid.signature, secrets: { ...login, withdrawalSignature } }
}

type Call = (path: string, body?: object, headers?: Record<string, string>) => Promise<Answer>

async function logIn(url: string, wallet: TestWallet) {
  const walletAddress = wallet.address
  let token = ''
  const call: Call = async (path, body, headers = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...headers,
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { 'x-auth-token': token }),
      },
      body: body && JSON.stringify(body),
    })
    return (await answer.json()) as Answer
  }
  const { message } = await call('/api/users/nonce', { walletAddress })
  const loginSignature = await wallet.sign(message as string)
  const verified = await call('/api/users/verify-wallet', {
    walletAddress,
    message,
    signature: loginSignature,
  })
  token = verified.token as string
  return { call, login: { token, loginSignature } }
}

async function deposit(wallet: TestWallet, call: Call): Promise<void> {
  await call('/api/local/faucet', { walletAddress: wallet.address })
  const transaction = await waitFor('a deposit to sign', async () => {
    const prepared = await call('/api/deposits/transaction', { amount: 50 })
    return typeof prepared.transaction === 'string' ? prepared.transaction : null
  })
  const signed = await signWire(wallet, transaction, Uint8Array.from(readTransfer(transaction)!.message))
  await waitFor('the deposit to be sent', async () => {
    const sent = await call('/api/deposits/submit', { transaction: signed })
    return sent.success === true
  })
  await waitFor(
    'the deposit',
    async () => (await call(`/api/users/wallet/${wallet.address}`)).creditBalance === 50,
  )
}
