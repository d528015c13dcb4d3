import { logOut } from '#contract/console/session.ts'
import { wallets } from '#web/wallet/wallets.ts'
import { call } from '../api/call.ts'
import { endSession, session } from '../api/session.ts'

/** Ends the session when the operator selects another account in the wallet. */
export function watchWalletAccount(): () => void {
  return wallets.subscribe(() => {
    const { connected } = wallets.get()
    const { operator, token } = session.get()
    if (!connected || token === null || connected.account.address === operator?.wallet) return
    call(logOut, { body: {} }).catch(() => undefined)
    endSession('account-switched')
  })
}
