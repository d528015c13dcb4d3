import { type CSSProperties, useState } from 'react'
import styles from './confetti.module.css'

const PIECES = 22
const COLOURS = ['#ffd84a', '#cf3f30', '#8fd253', '#fffaec', '#4fb2e6']

/** A random path for each piece. */
const flights = (): readonly CSSProperties[] =>
  Array.from(
    { length: PIECES },
    (_, at) =>
      ({
        '--x': `${Math.random() * 260 - 130}px`,
        '--y': `${-60 - Math.random() * 130}px`,
        '--turn': `${Math.random() * 720 - 360}deg`,
        backgroundColor: COLOURS[at % COLOURS.length],
        animationDelay: `${Math.random() * 0.15}s`,
      }) as CSSProperties,
  )

/** Confetti over the box around it, once. Hidden with reduced motion. */
export function Confetti() {
  const [pieces] = useState(flights)
  return (
    <span className={styles.confetti} aria-hidden="true">
      {pieces.map((flight, at) => (
        <i key={at} style={flight} />
      ))}
    </span>
  )
}
