import type { CSSProperties } from 'react'
import { classNames } from './class-names.ts'
import styles from './supply-bar.module.css'

/** Above this share (percent) a supply is nearly sold out. */
const HOT_ABOVE = 90

type SupplyBarProps = { percent: number; caption: string; label: string; className?: string | undefined }

export function SupplyBar({ percent, caption, label, className }: SupplyBarProps) {
  const tone = percent > HOT_ABOVE ? styles.hot : styles.sun
  return (
    <div
      className={classNames(styles.bar, tone, className)}
      style={{ '--v': `${percent}%` } as CSSProperties}
    >
      <progress
        className="vh"
        aria-label={label}
        aria-valuetext={caption}
        value={Math.round(percent)}
        max={100}
      />
      <div className={styles.fill} />
      <span className={styles.caption}>{caption}</span>
    </div>
  )
}
