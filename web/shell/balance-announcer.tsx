import { formatCotton } from '#game/cotton.ts'
import { useBalance } from '#web/api/use-balance.ts'
import { messages } from '#web/messages/en.ts'

/** Says the balance aloud whenever it changes: nobody hears the figure in the menu, and on a phone the menu is closed. */
export function BalanceAnnouncer() {
  const balance = useBalance()
  return (
    <output className="vh">
      {balance === undefined ? null : messages.menu.spokenBalance(formatCotton(balance))}
    </output>
  )
}
