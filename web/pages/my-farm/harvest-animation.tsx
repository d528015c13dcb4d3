import { type CSSProperties, useState } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import type { Cotton } from '#game/cotton.ts'
import boll from '#web/art/boll.svg'
import { farmMessages } from '#web/messages/en-farm.ts'
import styles from './farm.module.css'

const BOLLS = 12

/** A random direction for each boll. */
const burst = (): readonly CSSProperties[] =>
  Array.from(
    { length: BOLLS },
    () =>
      ({
        '--dx': `${Math.random() * 240 - 120}px`,
        '--dy': `${-60 - Math.random() * 140}px`,
        animationDelay: `${Math.random() * 0.18}s`,
      }) as CSSProperties,
  )

/** The claimed amount rises, if it is given, and bolls fly. With reduced motion only the number is shown. */
export function HarvestAnimation({ amount }: { amount: Cotton | null | undefined }) {
  const [bolls] = useState(burst)
  return (
    <span aria-hidden="true">
      {amount === undefined ? null : (
        <span className={classNames(styles.gain, 'num')}>{farmMessages.gain(amount)}</span>
      )}
      {bolls.map((flight, index) => (
        <img key={index} className={styles.boll} style={flight} src={boll} width="34" height="34" alt="" />
      ))}
    </span>
  )
}
