import type { ReactNode } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import type { Tone } from './badge.tsx'
import styles from './notice.module.css'

type NoticeProps = { tone: Exclude<Tone, 'plain'>; role?: 'alert'; children: ReactNode; actions?: ReactNode }

/** A sentence that must be seen, with what can be done about it. */
export function Notice({ tone, role, children, actions }: NoticeProps) {
  return (
    <div className={classNames(styles.notice, styles[tone])} role={role}>
      <div className={styles.text}>{children}</div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </div>
  )
}
