import type { ReactNode } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import styles from './badge.module.css'

export type Tone = 'good' | 'warn' | 'bad' | 'note' | 'plain'

/** A state in a word or two. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={classNames(styles.badge, styles[tone])}>{children}</span>
}
