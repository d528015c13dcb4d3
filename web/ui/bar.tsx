import type { CSSProperties } from 'react'
import styles from './bar.module.css'
import { classNames } from './class-names.ts'

type BarProps = {
  /** 0 to 100; what is beyond fills the bar. */
  percent: number
  tone: 'green' | 'orange' | 'red' | 'sun' | 'leaf' | 'stone'
  size: 'small' | 'medium' | 'large' | 'huge'
  /** What is measured, for a screen reader. */
  label: string
  /** The same as the bar, in words. */
  caption: string
  /** Where the caption is seen. */
  captionOn?: 'bar' | 'fill' | 'nowhere'
  /** Stripes run along it. */
  moving?: boolean
  className?: string | undefined
}

/** How full something is. Its caption says the same in words. */
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
