import { ArrowDownToLine } from 'lucide-react'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { paths } from '#web/paths.ts'
import { openLogin } from '#web/popups/login-store.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { words } from '#web/words/en.ts'

/** To the deposit box when logged in, else to the login popup (S-13). */
export function DepositButton({ small = false, onFollow }: { small?: boolean; onFollow: () => void }) {
  const { loggedIn } = useSession()
  const size = small ? ('sm' as const) : undefined
  const icon = <ArrowDownToLine aria-hidden="true" />
  if (!loggedIn) {
    return (
      <Button tone="sun" size={size} block icon={icon} onClick={() => openLogin()}>
        {words.menu.deposit}
      </Button>
    )
  }
  return (
    <Link className={buttonClass({ tone: 'sun', size, block: true })} to={paths.deposit} onClick={onFollow}>
      {icon}
      {words.menu.deposit}
    </Link>
  )
}
