import type { ReactNode } from 'react'
import styles from './code-box.module.css'

/** A box that shows an address. */
export function CodeBox({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={className ? `${styles.code} ${className}` : styles.code}>{children}</div>
}
