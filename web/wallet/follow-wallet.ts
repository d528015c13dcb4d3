import { logout } from '#contract/account.ts'
import { call } from '#web/api/call.ts'
import { endSession, session } from '#web/api/session.ts'
import { connect, disconnect, findWallet, lastWalletName, wallets } from './wallets.ts'

/** Ends the session here and on the server, and disconnects the wallet (S-64). */
export async function logOut(): Promise<void> {
  const loggedOut = call(logout, {}).catch(() => undefined)
  endSession('logged-out')
  await Promise.all([loggedOut, disconnect().catch(() => undefined)])
}

/** Reconnects the wallet of a restored session without a prompt, as soon as the wallet has registered itself. */
export function reconnectSilently(): () => void {
  let attempted: string | null = null
  const attempt = (): void => {
    const name = lastWalletName()
    if (session.get().token === null || wallets.get().connected || !name || attempted === name) return
    const wallet = findWallet(name)
    if (!wallet) return
    attempted = name
    connect(wallet, { silent: true }).catch(() => undefined)
  }
  attempt()
  return wallets.subscribe(attempt)
}

/** Ends the session when the player switches to another account in its wallet. */
export function watchAccount(): () => void {
  return wallets.subscribe(() => {
    const { connected } = wallets.get()
    const { walletAddress, token, step } = session.get()
    if (!connected || token === null || step !== 'idle') return
    if (connected.account.address === walletAddress) return
    // Another tab may have logged in with another wallet, while this one is still connected to the wallet of before.
    if (connected.wallet.name !== lastWalletName()) return
    // Also end the session on the server, because nobody else will.
    call(logout, {}).catch(() => undefined)
    endSession('account-switched')
  })
}
