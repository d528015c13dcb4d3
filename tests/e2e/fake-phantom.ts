import type { Page } from '@playwright/test'
import { testPlayer, type TestPlayer } from '#tests/support/test-player.ts'

export type Misbehaviour = 'refuses to connect' | 'refuses to sign' | 'cannot sign' | 'signs something else'

/**
 * Registers a wallet named Phantom in the page through the Wallet Standard. Its keys are real and stay outside the page.
 * Returns the addresses of its accounts, and the requests that it received. `lateMs` delays the registration. `confirm` and
 * `confirmConnect` are when its owner confirms a signature and a connection.
 */
export async function installPhantom(
  page: Page,
  {
    misbehaviour = null,
    lateMs = 0,
    accounts = [testPlayer(), testPlayer()],
    confirm = async () => {},
    confirmConnect = async () => {},
  }: PhantomOptions = {},
) {
  const received: string[] = []
  await page.exposeFunction('phantomCalled', async (what: string) => {
    received.push(what)
    if (what === 'connect') await confirmConnect()
  })
  await page.exposeFunction('phantomSigns', async (address: string, bytes: number[]) => {
    await confirm()
    const account = accounts.find((each) => each.wallet === address)!
    const message =
      misbehaviour === 'signs something else' ? Buffer.from('something else') : Buffer.from(bytes)
    return [...account.sign(message)]
  })
  const addresses = accounts.map((account) => account.wallet)
  await page.addInitScript(register, { addresses, misbehaviour, lateMs })
  return {
    addresses,
    received,
    switchAccount: () => page.evaluate(() => Reflect.get(window, 'switchPhantom')()),
  }
}

type PhantomOptions = {
  misbehaviour?: Misbehaviour | null
  lateMs?: number
  accounts?: readonly TestPlayer[]
  confirm?: () => Promise<void>
  confirmConnect?: () => Promise<void>
}

type FakeOptions = { addresses: string[]; misbehaviour: Misbehaviour | null; lateMs: number }

/** Runs in the page. */
function register({ addresses, misbehaviour, lateMs }: FakeOptions): void {
  const reportCall = Reflect.get(window, 'phantomCalled') as (what: string) => Promise<void>
  const sign = Reflect.get(window, 'phantomSigns') as (address: string, bytes: number[]) => Promise<number[]>
  const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const bytesOf = (address: string): Uint8Array => {
    let value = [...address].reduce((sum, letter) => sum * 58n + BigInt(letters.indexOf(letter)), 0n)
    const bytes = new Uint8Array(32)
    for (let at = 31; at >= 0; at--, value >>= 8n) bytes[at] = Number(value & 255n)
    return bytes
  }
  const features = misbehaviour === 'cannot sign' ? [] : ['solana:signMessage', 'solana:signTransaction']
  const accountOf = (address: string) => ({
    address,
    publicKey: bytesOf(address),
    chains: ['solana:mainnet', 'solana:localnet'],
    features,
  })
  let current = accountOf(addresses[0]!)
  let connected: (typeof current)[] = []
  const listeners = new Set<(change: { accounts: (typeof current)[] }) => void>()
  const trusted = () => localStorage.getItem('stand-in phantom trusts this site') === 'yes'

  const connect = async (input?: { silent?: boolean }) => {
    await reportCall(input?.silent ? 'connect silently' : 'connect')
    if (misbehaviour === 'refuses to connect') throw new Error('User rejected the request.')
    if (!input?.silent || trusted()) connected = [current]
    localStorage.setItem('stand-in phantom trusts this site', 'yes')
    return { accounts: connected }
  }
  const signMessage = async ({ account, message }: { account: { address: string }; message: Uint8Array }) => {
    reportCall('sign message')
    if (misbehaviour === 'refuses to sign') throw new Error('User rejected the request.')
    const signature = Uint8Array.from(await sign(account.address, [...message]))
    return [{ signedMessage: message, signature }]
  }
  const wallet = {
    version: '1.0.0',
    name: 'Phantom',
    icon: 'data:image/svg+xml;base64,PHN2Zy8+',
    chains: ['solana:mainnet', 'solana:localnet'],
    get accounts() {
      return connected
    },
    features: {
      'standard:connect': { version: '1.0.0', connect },
      'standard:disconnect': {
        version: '1.0.0',
        disconnect: async () => {
          reportCall('disconnect')
          connected = []
        },
      },
      'standard:events': {
        version: '1.0.0',
        on: (_event: string, listener: (change: { accounts: (typeof current)[] }) => void) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
      ...(misbehaviour === 'cannot sign'
        ? {}
        : {
            'solana:signMessage': { version: '1.1.0', signMessage },
            'solana:signTransaction': {
              version: '1.0.0',
              supportedTransactionVersions: ['legacy', 0],
              signTransaction: async () => {
                reportCall('sign transaction')
                throw new Error('User rejected the request.')
              },
            },
          }),
    },
  }
  Reflect.set(window, 'switchPhantom', () => {
    current = accountOf(addresses[1]!)
    connected = [current]
    for (const listener of listeners) listener({ accounts: connected })
  })
  type Api = { register(wallet: unknown): void }
  const announce = (api: Api) => api.register(wallet)
  window.addEventListener('wallet-standard:app-ready', (event) => {
    const { detail } = event as CustomEvent<Api>
    if (lateMs > 0) setTimeout(() => announce(detail), lateMs)
    else announce(detail)
  })
  if (lateMs === 0)
    window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: announce }))
}
