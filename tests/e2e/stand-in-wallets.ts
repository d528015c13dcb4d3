import type { Page } from '@playwright/test'
import { findSignatureSlot } from '#web/wallet/signature-slot.ts'
import { SIGNING_WALLETS } from '#tests/support/signing-wallets.ts'
import { signingKeyOf, testPlayer } from '#tests/support/test-player.ts'

/**
 * A wallet of the browser tests: how it signs a text, and the features that it offers for it and for deposits. It knows
 * a local chain and the further chains named here.
 */
export type StandIn = { name: string; signs: string; features: readonly string[]; chains?: readonly string[] }

export const STAND_INS: readonly StandIn[] = [
  {
    name: 'Raw Wallet',
    signs: 'signs raw bytes',
    features: ['solana:signMessage', 'solana:signTransaction'],
  },
  {
    name: 'Envelope Wallet',
    signs: 'wraps messages in version 0',
    features: ['solana:signMessage', 'solana:signTransaction'],
  },
  {
    name: 'Offchain Wallet',
    signs: 'wraps messages in version 1',
    features: ['solana:signOffchainMessage', 'solana:signTransaction'],
  },
  { name: 'Sign-in Wallet', signs: 'signs in only', features: ['solana:signIn', 'solana:signTransaction'] },
  {
    name: 'Hardware Wallet',
    signs: 'signs transactions only',
    // The app that drives it offers messages, which the device refuses.
    features: ['solana:signMessage', 'solana:signTransaction'],
  },
  {
    name: 'Sending Wallet',
    signs: 'sends what it signs',
    features: ['solana:signMessage', 'solana:signAndSendTransaction'],
  },
]

/** What the page passes to the key, which stays outside of it, and gets back. */
type Asked = { feature: string; text?: string; signIn?: Record<string, string>; bytes?: number[] }
type Given = { signature: number[]; bytes: number[] }

/** Registers the wallet in the page. Returns its address, and the features that were used. */
export async function installStandIn(
  page: Page,
  standIn: StandIn,
): Promise<{ address: string; used: string[] }> {
  const player = testPlayer()
  const key = signingKeyOf(player)
  const used: string[] = []
  const signing = SIGNING_WALLETS.find(({ name }) => name === standIn.signs)!

  const signTransaction = (bytes: number[]): Given => {
    const signed = Uint8Array.from(bytes)
    const { offset, message } = findSignatureSlot(signed, key.publicKey)
    const signature = player.sign(message)
    signed.set(signature, offset)
    return { signature: [...signature], bytes: [...signed] }
  }
  await page.exposeFunction(
    'standInSigns',
    async ({ feature, text = '', signIn, bytes }: Asked): Promise<Given> => {
      used.push(feature.replace('solana:', ''))
      if (bytes) {
        const given = signTransaction(bytes)
        if (feature === 'solana:signAndSendTransaction') await send(given.bytes)
        return given
      }
      if (signing.form === 'transaction') throw new Error('The device answered 0x6a81.')
      const { signature, signedMessage } = await signing.sign(key, {
        message: text,
        ...(signIn ? { signIn } : {}),
      })
      return { signature: [...signature], bytes: [...(signedMessage ?? Buffer.from(text))] }
    },
  )
  const { name, features, chains = [] } = standIn
  const offered = {
    name,
    features: [...features],
    chains: ['solana:localnet', ...chains],
    address: player.wallet,
    publicKey: [...key.publicKey],
  }
  await page.addInitScript(register, offered)
  return { address: player.wallet, used }
}

async function send(bytes: number[]): Promise<void> {
  const params = [Buffer.from(bytes).toString('base64'), { encoding: 'base64' }]
  const answer = await fetch(process.env.GAME_CHAIN_URL!, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params }),
  })
  const { error } = (await answer.json()) as { error?: unknown }
  if (error) throw new Error(JSON.stringify(error))
}

type Offered = { name: string; features: string[]; chains: string[]; address: string; publicKey: number[] }

/** Runs in the page. */
function register({ name, features, chains, address, publicKey }: Offered): void {
  const ask = Reflect.get(window, 'standInSigns') as (asked: Asked) => Promise<Given>
  const account = {
    address,
    publicKey: Uint8Array.from(publicKey),
    chains,
    features: features.filter((feature) => feature !== 'solana:signIn'),
  }
  const read = async (asked: Asked) => {
    const { signature, bytes } = await ask(asked)
    return { signature: Uint8Array.from(signature), bytes: Uint8Array.from(bytes) }
  }
  const ofTransaction = (feature: string) => async (input: { transaction: Uint8Array }) => {
    const { signature, bytes } = await read({ feature, bytes: [...input.transaction] })
    return [{ signature, signedTransaction: bytes }]
  }
  const methods: Record<string, object> = {
    'solana:signMessage': {
      signMessage: async ({ message }: { message: Uint8Array }) => {
        const text = new TextDecoder().decode(message)
        const { signature, bytes } = await read({ feature: 'solana:signMessage', text })
        return [{ signature, signedMessage: bytes }]
      },
    },
    'solana:signOffchainMessage': {
      supportedMessageVersions: [1],
      signOffchainMessage: async ({ message }: { message: string }) => {
        const { signature, bytes } = await read({ feature: 'solana:signOffchainMessage', text: message })
        return [{ signature, signedOffchainMessage: bytes }]
      },
    },
    'solana:signIn': {
      signIn: async (signIn: Record<string, string>) => {
        const { signature, bytes } = await read({ feature: 'solana:signIn', signIn })
        return [{ account, signature, signedMessage: bytes }]
      },
    },
    'solana:signTransaction': { signTransaction: ofTransaction('solana:signTransaction') },
    'solana:signAndSendTransaction': {
      signAndSendTransaction: ofTransaction('solana:signAndSendTransaction'),
    },
  }
  const wallet = {
    version: '1.0.0',
    name,
    icon: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
    chains,
    accounts: [account],
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
      ...Object.fromEntries(
        features.map((feature) => [
          feature,
          { version: '1.0.0', supportedTransactionVersions: ['legacy', 0], ...methods[feature] },
        ]),
      ),
    },
  }
  window.addEventListener('wallet-standard:app-ready', (event) => {
    const { detail } = event as CustomEvent<{ register(wallet: unknown): void }>
    detail.register(wallet)
  })
}
