import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { baseUnits, type Cotton, formatCotton } from '#game/cotton.ts'
import { classNames } from '#web/ui/class-names.ts'
import { prefersReducedMotion } from '#web/ui/reduced-motion.ts'
import styles from './balance-amount.module.css'

/** The balance in the menu, in the top bar and on the profile. It counts to a new value, and all of its digits fit. */
export function BalanceAmount({ balance }: { balance: Cotton | undefined }) {
  const shown = useCount(balance)
  const text = shown === undefined ? '–' : formatCotton(shown)
  // The length of the final text: the size changes once.
  const length = balance === undefined ? 1 : formatCotton(balance).length
  return (
    <b
      className={classNames('num', styles.amount)}
      style={{ '--chars': length } as CSSProperties}
      data-balance=""
    >
      {text}
    </b>
  )
}

const COUNT_MS = 900

/** Counts from the last value to this one. The first value appears at once, and so does every one with reduced motion. */
function useCount(target: Cotton | undefined): Cotton | undefined {
  const [counted, setCounted] = useState(target)
  const shown = useRef(target)
  useEffect(() => {
    const show = (value: Cotton | undefined): void => {
      shown.current = value
      setCounted(value)
    }
    const from = shown.current
    if (from === undefined || target === undefined || document.hidden || prefersReducedMotion())
      return show(target)
    const startedAt = performance.now()
    let frame = 0
    const step = (now: number): void => {
      const part = Math.min(1, Math.max(0, (now - startedAt) / COUNT_MS))
      show(part === 1 ? target : between(from, target, part))
      if (part < 1) frame = requestAnimationFrame(step)
    }
    frame = requestAnimationFrame(step)
    return () => cancelAnimationFrame(frame)
  }, [target])
  return counted
}

/** A value on the way, faster at the start than at the end. */
function between(from: Cotton, to: Cotton, part: number): Cotton {
  const eased = 1 - (1 - part) ** 3
  return baseUnits(from + ((to - from) * BigInt(Math.round(eased * 1_000))) / 1_000n)
}
