import type { ReactNode } from 'react'
import styles from './card.module.css'

/** A row of a listing's `<dl>`. */
export function Record({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.record}>
      <dt>{name}</dt>
      <dd className="num">{children}</dd>
    </div>
  )
}
