import type { CSSProperties } from 'react'
import styles from './bar.module.css'
import { classNames } from './class-names.ts'

type BarProps = {
  /** 0 to 100; values outside are clamped. */
  percent: number
  tone: 'green' | 'orange' | 'red' | 'sun' | 'leaf' | 'stone'
  size: 'small' | 'medium' | 'large' | 'huge'
  /** What is measured, for a screen reader. */
  label: string
  /** The value as text. */
  caption: string
  /** Where the caption is displayed. */
  captionOn?: 'bar' | 'fill' | 'nowhere'
  /** Animates stripes along the bar. */
  moving?: boolean
  className?: string
}

/** A progress bar with its value as a caption. */
export function Bar({
  percent,
  tone,
  size,
  label,
  caption,
  captionOn = 'bar',
  moving = false,
  className,
}: BarProps) {
  const filled = Math.max(0, Math.min(100, percent))
  return (
    <div
      className={classNames(styles.bar, styles[size], styles[tone], className)}
      style={{ '--v': `${filled}%` } as CSSProperties}
      data-tone={tone}
    >
      <progress
        className="vh"
        aria-label={label}
        aria-valuetext={caption}
        value={Math.round(filled)}
        max={100}
      />
      <div className={classNames(styles.fill, moving && styles.moving)} />
      {captionOn === 'nowhere' ? null : (
        <span
          className={classNames(styles.caption, captionOn === 'fill' && styles.onFill)}
          aria-hidden="true"
        >
          {caption}
        </span>
      )}
    </div>
  )
}
