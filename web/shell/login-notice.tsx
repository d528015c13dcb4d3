import { Link } from 'react-router'
import type { PlayerSession } from '#web/api/use-sessions.ts'
import warning from '#web/art/icons/warning.webp'
import { securityMessages } from '#web/messages/en-security.ts'
import { formatMoment } from '#web/messages/locale.ts'
import { paths } from '#web/paths.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Frame } from '#web/ui/frame.tsx'
import styles from './login-notice.module.css'
import { behindMenu } from './behind-menu.ts'

/** Announces a login on another device, in the open game and on the next visit, until the player dismisses it. */
export function LoginNotice({ login, dismiss }: { login: PlayerSession; dismiss: () => void }) {
  const close = (): void => {
    dismiss()
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  const device = login.device || securityMessages.unknownDevice
  const place = login.address ? `${device} ${securityMessages.from(login.address)}` : device
  return (
    <Frame {...behindMenu} small className={styles.card} role="alert" aria-labelledby="login-notice-title">
      <img src={warning} width="36" height="36" alt="" />
      <div>
        <h2 className={styles.title} id="login-notice-title">
          {securityMessages.notice}
        </h2>
        <p className={styles.text}>{securityMessages.noticeText(place, formatMoment(login.createdAt))}</p>
        <div className={styles.actions}>
          <Link className={buttonClass({ tone: 'berry', size: 'sm' })} to={`${paths.profile}#security`}>
            {securityMessages.noticeShow}
          </Link>
          <Button size="sm" onClick={close}>
            {securityMessages.noticeDismiss}
          </Button>
        </div>
      </div>
    </Frame>
  )
}
