import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './stat.module.css'

type StatProps = { icon: string; label: ReactNode; children: ReactNode; className?: string }

/** One row of figures on a card. Its parent is a `<dl>`. */
export function Stat({ icon, label, children, className }: StatProps) {
  return (
    <div className={classNames(styles.stat, className)}>
      <dt className={styles.label}>
        <img className={styles.icon} src={icon} width="30" height="30" alt="" />
        <span>{label}</span>
      </dt>
      <dd className={styles.value}>
        <b className="num">{children}</b>
      </dd>
    </div>
  )
}
