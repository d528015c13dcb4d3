import { type CSSProperties, useState } from 'react'
import boll from '#web/art/boll.svg'
import coin from '#web/art/coin.svg'
import styles from './celebration.module.css'

const PIECES = 26

/** Every fifth piece is a boll and every fifth a coin; the rest is paper. */
const PICTURES: Readonly<Record<number, string>> = { 0: boll, 2: coin }

/** A random path for each piece, up and to both sides. */
const flights = (): readonly CSSProperties[] =>
  Array.from(
    { length: PIECES },
    () =>
      ({
        '--x': `${Math.random() * 380 - 190}px`,
        '--y': `${-50 - Math.random() * 120}px`,
        '--turn': `${Math.random() * 720 - 360}deg`,
        animationDelay: `${Math.random() * 0.2}s`,
      }) as CSSProperties,
  )

/** Bolls, coins and paper that fly up once. Hidden with reduced motion. */
export function Burst() {
  const [pieces] = useState(flights)
  return (
    <span className={styles.burst} aria-hidden="true">
      {pieces.map((flight, at) => {
        const picture = PICTURES[at % 5]
        return picture ? (
          <img key={at} src={picture} width="26" height="26" alt="" style={flight} />
        ) : (
          <i key={at} style={flight} />
        )
      })}
    </span>
  )
}
