import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { type PlayerSession, useSessions } from '#web/api/use-sessions.ts'
import warning from '#web/art/icons/warning.webp'
import { browserStorage } from '#web/browser-storage.ts'
import { securityMessages } from '#web/messages/en-security.ts'
import { formatMoment } from '#web/messages/locale.ts'
import { paths } from '#web/paths.ts'
import { KNOWN_LOGINS_KEY } from '#web/storage-keys.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { findNewLogins, parseKnownLogins } from './known-logins.ts'
import styles from './login-notice.module.css'
import { behindMenu } from './use-drawer.ts'

/** Announces logins on other devices, in the open game and on the next visit, until the player has dismissed them. */
export function LoginNotice() {
  const { walletAddress } = useSession()
  const { data: logins } = useSessions()
  const [, setDismissals] = useState(0)
  const known =
    walletAddress === null ? null : parseKnownLogins(browserStorage.getItem(KNOWN_LOGINS_KEY), walletAddress)
  const isFirstVisit = known === null
  useEffect(() => {
    if (isFirstVisit && walletAddress !== null && logins) remember(walletAddress, logins)
  }, [isFirstVisit, walletAddress, logins])
  const [newest] = findNewLogins(logins ?? [], known)
  if (!newest || walletAddress === null) return null

  const dismiss = (): void => {
    remember(walletAddress, logins ?? [])
    document.getElementById('main')?.focus({ preventScroll: true })
    setDismissals((count) => count + 1)
  }
  const device = newest.device || securityMessages.unknownDevice
  const place = newest.address ? `${device} ${securityMessages.from(newest.address)}` : device
  return (
    <Frame {...behindMenu} small className={styles.card} role="alert" aria-labelledby="login-notice-title">
      <img src={warning} width="36" height="36" alt="" />
      <div>
        <h2 className={styles.title} id="login-notice-title">
          {securityMessages.notice}
        </h2>
        <p className={styles.text}>{securityMessages.noticeText(place, formatMoment(newest.createdAt))}</p>
        <div className={styles.actions}>
          <Link className={buttonClass({ tone: 'berry', size: 'sm' })} to={`${paths.profile}#security`}>
            {securityMessages.noticeShow}
          </Link>
          <Button size="sm" onClick={dismiss}>
            {securityMessages.noticeDismiss}
          </Button>
        </div>
      </div>
    </Frame>
  )
}

function remember(wallet: string, logins: readonly PlayerSession[]): void {
  browserStorage.setItem(KNOWN_LOGINS_KEY, JSON.stringify({ wallet, ids: logins.map(({ id }) => id) }))
}
