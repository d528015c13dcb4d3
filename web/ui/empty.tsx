import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './empty.module.css'

type EmptyProps = {
  picture: ReactNode
  title: string
  text?: string
  children?: ReactNode
  alert?: boolean
  /** Takes little height on a phone, above other content. */
  low?: boolean
}

/** An empty state: an image, a sentence and an action. */
export function Empty({ picture, title, text, children, alert = false, low = false }: EmptyProps) {
  return (
    <div className={classNames(styles.empty, low && styles.low)} role={alert ? 'alert' : undefined}>
      <div className={styles.art} aria-hidden="true">
        {picture}
      </div>
      <h2 className={styles.title}>{title}</h2>
      {text ? <p>{text}</p> : null}
      {children ? <div className={styles.action}>{children}</div> : null}
    </div>
  )
}
