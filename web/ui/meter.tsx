import type { CSSProperties } from 'react'
import { classNames } from './class-names.ts'
import styles from './meter.module.css'

type MeterProps = {
  /** 0 to 100; what is beyond fills the meter. */
  percent: number
  caption: string
  label: string
  tone: 'leaf' | 'sun' | 'bad' | 'unknown'
  className?: string | undefined
}

/** How full something is. Its caption says the same in words. */
export function Meter({ percent, caption, label, tone, className }: MeterProps) {
  const filled = Math.max(0, Math.min(100, percent))
  return (
    <div
      className={classNames(styles.meter, styles[tone], className)}
      style={{ '--v': `${filled}%` } as CSSProperties}
    >
      <progress className="vh" aria-label={label} aria-valuetext={caption} value={filled} max={100} />
      <div className={styles.fill} />
      <span className={styles.caption} aria-hidden="true">
        {caption}
      </span>
    </div>
  )
}
