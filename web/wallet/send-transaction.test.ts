import '#web/api/browser-stub.ts'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import { expect, test } from 'vitest'
import type { GameChain } from './send-transaction.ts'

const { sendsItself, signAndSend } = await import('./send-transaction.ts')

const EXPLORER = 'https://explorer.example/{signature}'
const MAINNET: GameChain = { cluster: 'mainnet', explorer: EXPLORER }
const DEVNET: GameChain = { cluster: 'devnet', explorer: EXPLORER }
/** A chain of the operator, for which `CLUSTER` names the rules. */
const RULES_OF_MAINNET: GameChain = { cluster: 'mainnet', explorer: null }

const SIGN = 'solana:signTransaction'
const SEND = 'solana:signAndSendTransaction'

function connectedTo(features: Record<string, object>, chains = ['solana:mainnet', 'solana:devnet']) {
  return { wallet: { features } as unknown as Wallet, account: { chains } as unknown as WalletAccount }
}

test.each([
  ['on mainnet the wallet sends', MAINNET, [SIGN, SEND], true],
  ['on devnet the game sends, because a wallet may send elsewhere', DEVNET, [SIGN, SEND], false],
  ['on a chain that is only called mainnet the game sends', RULES_OF_MAINNET, [SIGN, SEND], false],
  ['a wallet that cannot only sign sends anywhere', DEVNET, [SEND], true],
  ['a wallet that cannot send only signs', MAINNET, [SIGN], false],
])('%s', (_, chain, offered, sends) => {
  const features = Object.fromEntries(offered.map((feature) => [feature, {}]))
  expect(sendsItself(connectedTo(features), chain)).toBe(sends)
})

test('an account that is not for mainnet only signs', () => {
  expect(sendsItself(connectedTo({ [SIGN]: {}, [SEND]: {} }, ['solana:devnet']), MAINNET)).toBe(false)
})

test('a wallet is asked to sign for the public cluster, or for a chain that it does not know', async () => {
  const named: unknown[] = []
  const signTransaction = async ({ chain }: { chain: string }) => {
    named.push(chain)
    return [{ signedTransaction: Uint8Array.of(1) }]
  }
  for (const chain of [DEVNET, RULES_OF_MAINNET]) {
    const signed = await signAndSend(connectedTo({ [SIGN]: { signTransaction } }), 'AAAA', chain)
    expect(signed).toEqual({ sent: false, transaction: 'AQ==' })
  }
  expect(named).toEqual(['solana:devnet', 'solana:localnet'])
})

test('a wallet that sends has the transaction checked at the commitment of its blockhash', async () => {
  const given: unknown[] = []
  const signAndSendTransaction = async ({ options }: { options?: object }) => {
    given.push(options)
    return [{ signature: Uint8Array.of(1) }]
  }
  const sent = await signAndSend(connectedTo({ [SEND]: { signAndSendTransaction } }), 'AAAA', MAINNET)
  expect(sent).toEqual({ sent: true })
  expect(given).toEqual([{ preflightCommitment: 'confirmed' }])
})
