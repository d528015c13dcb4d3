import { useState } from 'react'
import type { PickerFacts } from '#web/api/use-worker-types.ts'
import { classNames } from '#web/ui/class-names.ts'
import { hiringMessages } from '#web/messages/en-hiring.ts'
import styles from './card-badges.module.css'

/** Above this share sold (percent) few are left. */
const FEW_LEFT_ABOVE = 90

/** A tag on a card: none left, few left, or the one to begin with. */
export function StatusTag({ type, isFirst }: { type: PickerFacts; isFirst: boolean }) {
  const { available = Number.NaN, progress = 0 } = type
  if (available <= 0)
    return <p className={classNames(styles.tag, styles.soldOut)}>{hiringMessages.badges.none}</p>
  if (progress > FEW_LEFT_ABOVE) return <p className={styles.tag}>{hiringMessages.badges.few}</p>
  return isFirst ? <p className={styles.tag}>{hiringMessages.badges.start}</p> : null
}

/** How many pickers of a type the player owns. It bounces when there is one more. */
export function OwnedCount({ count }: { count: number | undefined }) {
  const [before, setBefore] = useState(count)
  const [grown, setGrown] = useState(false)
  if (count !== before) {
    setBefore(count)
    setGrown(before !== undefined && count !== undefined && count > before)
  }
  if (!count) return null
  return (
    <p key={count} className={classNames(styles.owned, grown && styles.grown, 'num')}>
      {hiringMessages.owned(count)}
    </p>
  )
}
