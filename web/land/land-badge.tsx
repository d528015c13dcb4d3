import type { ReactNode } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import styles from './land-badge.module.css'

type LandBadgeProps = {
  tone: 'free' | 'owned' | 'mine' | 'sold'
  className?: string
  /** An icon and a word. */
  children: ReactNode
}

/** The state of land or of a listing. */
export function LandBadge({ tone, className, children }: LandBadgeProps) {
  return <span className={classNames(styles.badge, styles[tone], className)}>{children}</span>
}
