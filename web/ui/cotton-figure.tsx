import { type Cotton, formatCotton } from '#game/cotton.ts'
import { formatCompact, isLarge } from '#web/messages/amount.ts'

/** An amount in a narrow place. A large one is shortened; its title and screen readers give all digits. */
export function CottonFigure({ amount }: { amount: Cotton }) {
  if (!isLarge(amount)) return <span>{formatCotton(amount)}</span>
  const exact = formatCotton(amount)
  return (
    <span title={exact}>
      <span aria-hidden="true">{formatCompact(amount)}</span>
      <span className="vh">{exact}</span>
    </span>
  )
}
