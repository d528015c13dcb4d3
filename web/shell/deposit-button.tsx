import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { openLogin } from '#web/popups/login-store.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { messages } from '#web/messages/en.ts'

const icon = <ArrowDownToLine aria-hidden="true" />

/** Opens the login popup, because a visitor must log in before a deposit (S-13). */
export function DepositButton() {
  return (
    <Button tone="sun" block icon={icon} onClick={() => openLogin()}>
      {messages.menu.deposit}
    </Button>
  )
}

/** Leads a player to the deposit box (S-13). A link, so that it works before the app has loaded. */
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
