import type { ReactNode } from 'react'
import styles from './facts.module.css'

/** A list of labelled values. */
export function Facts({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <dl className={styles.sum} id={id}>
      {children}
    </dl>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.rec}>
      <dt>{name}</dt>
      <dd className="num">{children}</dd>
    </div>
  )
}
