import type { ComponentProps, ReactNode } from 'react'
import boll from '#web/art/boll.svg'
import styles from './button.module.css'
import { classNames } from './class-names.ts'

type ButtonStyle = {
  tone?: 'paper' | 'leaf' | 'sun' | 'plum' | 'sky' | 'berry' | 'wood'
  size?: 'sm' | 'lg' | 'icon'
  block?: boolean
  wide?: boolean
}

/** The look of a button, for links that look like one. */
export function buttonClass({ tone = 'paper', size, block, wide }: ButtonStyle, extra?: string): string {
  return classNames(
    styles.button,
    tone !== 'paper' && styles[tone],
    size && styles[size],
    block && styles.block,
    wide && styles.wide,
    extra,
  )
}

type ButtonProps = ComponentProps<'button'> &
  ButtonStyle & {
    busy?: boolean
    /** Not to be pressed until something comes by itself. Unlike `disabled` it takes the focus from nobody. */
    ariaDisabled?: boolean
    /** Has just been pressed and answered: it looks as before, and takes the next press in a moment. */
    resting?: boolean
    icon?: ReactNode
  }

/** A slab to press. While `busy` or `ariaDisabled` it stays focusable, says so, and ignores presses. */
export function Button({
  tone,
  size,
  block,
  wide,
  busy = false,
  ariaDisabled = false,
  resting = false,
  icon,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(
        { tone, size, block, wide },
        classNames(busy && styles.busy, resting && !ariaDisabled && styles.resting, className),
      )}
      aria-busy={busy || undefined}
      aria-disabled={ariaDisabled || resting || undefined}
      onClick={busy || ariaDisabled || resting ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <img className={styles.boll} src={boll} alt="" width="24" height="24" /> : icon}
      {children}
    </button>
  )
}
