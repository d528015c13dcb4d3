import { SessionList } from './session-list.tsx'
import { WithdrawalLock } from './withdrawal-lock.tsx'

/** The lock on withdrawals, and where the player is logged in. */
export function Security() {
  return (
    <>
      <WithdrawalLock />
      <SessionList />
    </>
  )
}
