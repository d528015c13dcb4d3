import { useScrollToHash } from '#web/shell/use-scroll-to-hash.ts'
import { Panel } from '#web/ui/frame.tsx'
import { securityMessages } from '#web/messages/en-security.ts'
import styles from './profile.module.css'
import { SessionList } from './session-list.tsx'
import { WithdrawalLock } from './withdrawal-lock.tsx'

/** Where the player is logged in, and the lock on withdrawals. */
export function SecurityPanel() {
  useScrollToHash('security')
  return (
    <Panel title={securityMessages.title} tone="info" id="security">
      <div className={styles.list}>
        <WithdrawalLock />
        <SessionList />
      </div>
    </Panel>
  )
}
