import type { ReactNode } from 'react'
import styles from './code-box.module.css'

/** A box that shows an address. */
export function CodeBox({ children }: { children: ReactNode }) {
  return <div className={styles.code}>{children}</div>
}
