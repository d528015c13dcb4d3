import { shown } from '#game/cotton.ts'
import { useBalance } from '#web/api/use-balance.ts'
import { words } from '#web/messages/en.ts'

/** Says the balance aloud whenever it changes: nobody hears the figure in the menu, and on a phone the menu is closed. */
export function SpokenBalance() {
  const balance = useBalance()
  return (
    <output className="vh">{balance === undefined ? null : words.menu.spokenBalance(shown(balance))}</output>
  )
}
