import { ArrowDownToLine } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { openLogin } from '#web/popups/login-store.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { messages } from '#web/messages/en.ts'

const icon = <ArrowDownToLine aria-hidden="true" />

/** A visitor's way to a deposit begins with the login popup (S-13). */
export function DepositButton() {
  return (
    <Button tone="sun" block icon={icon} onClick={() => openLogin()}>
      {messages.menu.deposit}
    </Button>
  )
}

/** A player's leads to the deposit box (S-13); a link, so that it is one before the app has come. */
export function DepositLink({ onFollow }: { onFollow: () => void }) {
  return (
    <Link
      className={buttonClass({ tone: 'sun', size: 'sm', block: true })}
      to={paths.deposit}
      onClick={onFollow}
    >
      {icon}
      {messages.menu.deposit}
    </Link>
  )
}
