import type { ReactNode } from 'react'
import styles from './empty.module.css'

type EmptyProps = { picture: ReactNode; title: string; text?: string; children?: ReactNode; alert?: boolean }

/** An empty state: an image, a sentence and an action. */
export function Empty({ picture, title, text, children, alert = false }: EmptyProps) {
  return (
    <div className={styles.empty} role={alert ? 'alert' : undefined}>
      <div className={styles.art} aria-hidden="true">
        {picture}
      </div>
      <h2 className={styles.title}>{title}</h2>
      {text ? <p>{text}</p> : null}
      {children ? <div className={styles.action}>{children}</div> : null}
    </div>
  )
}
