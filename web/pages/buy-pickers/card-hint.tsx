import { Link } from 'react-router'
import { baseUnits, wholeOf } from '#game/cotton.ts'
import { useSession } from '#web/api/session.ts'
import { useBalance } from '#web/api/use-balance.ts'
import type { PickerFacts } from '#web/api/use-worker-types.ts'
import { paths } from '#web/paths.ts'
import { hiringMessages, pickerMessages } from '#web/messages/en-hiring.ts'
import styles from './buy-pickers.module.css'

type CardHintProps = { type: PickerFacts; isSample: boolean; hasHired: boolean }

/** The line below the button: where the picker is that was just hired, or what the player can afford. */
export function CardHint({ type, isSample, hasHired }: CardHintProps) {
  const hint = useHint(type)
  if (hasHired) {
    return (
      <p className={styles.hint}>
        <Link className={styles.seeOnFarm} to={paths.myFarm}>
          {hiringMessages.seeOnFarm(type.name)}
        </Link>
      </p>
    )
  }
  return <p className={styles.hint}>{isSample ? pickerMessages.sample : hint}</p>
}

function useHint({ price, available }: PickerFacts): string | null {
  const { loggedIn, known } = useSession()
  const balance = useBalance()
  if (available !== undefined && available <= 0) return hiringMessages.allHired
  if (known && !loggedIn) return hiringMessages.connect
  if (balance === undefined) return null
  const missing = baseUnits(price - wholeOf(balance))
  if (missing > 0n) return pickerMessages.needMore(missing)
  if (available === undefined || Number.isNaN(available)) return null
  return hiringMessages.enoughFor(Math.min(Number(balance / price), available))
}
