import { type CSSProperties, useState } from 'react'
import boll from '#web/art/boll.svg'
import coin from '#web/art/coin.svg'
import { classNames } from './class-names.ts'
import styles from './confetti.module.css'

const PIECES = 26

/** With `pictures`, every fifth piece is a boll and every fifth a coin. The rest is paper. */
const PICTURES: Readonly<Record<number, string>> = { 0: boll, 2: coin }

/** A random path for each piece, up and to both sides. */
const flights = (): readonly CSSProperties[] =>
  Array.from(
    { length: PIECES },
    () =>
      ({
        '--x': `${Math.random() * 320 - 160}px`,
        '--y': `${-60 - Math.random() * 120}px`,
        '--turn': `${Math.random() * 720 - 360}deg`,
        animationDelay: `${Math.random() * 0.2}s`,
      }) as CSSProperties,
  )

type ConfettiProps = {
  /** Whether bolls and coins fly among the paper. */
  pictures?: boolean
  className?: string
}

/** Confetti over the box around it, once. Hidden with reduced motion. */
export function Confetti({ pictures = false, className }: ConfettiProps) {
  const [pieces] = useState(flights)
  return (
    <span className={classNames(styles.confetti, className)} aria-hidden="true">
      {pieces.map((flight, at) => {
        const picture = pictures ? PICTURES[at % 5] : undefined
        return picture ? (
          <img key={at} src={picture} width="26" height="26" alt="" style={flight} />
        ) : (
          <i key={at} style={flight} />
        )
      })}
    </span>
  )
}
