import { formatCotton } from '#game/cotton.ts'
import { useBalance } from '#web/api/use-balance.ts'
import { messages } from '#web/messages/en.ts'

/** Announces balance changes to screen readers. The figure in the menu is not a live region, and phones hide the menu. */
export function BalanceAnnouncer() {
  const balance = useBalance()
  return (
    <output className="vh">
      {balance === undefined ? null : messages.menu.spokenBalance(formatCotton(balance))}
    </output>
  )
}
