import { type ReactNode, useId } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import styles from './panel.module.css'

type PanelProps = {
  title: string
  /** What can be done with the content of the panel. */
  actions?: ReactNode
  /** Without padding, for a table. */
  flush?: boolean
  children: ReactNode
}

/** A titled section of a page. */
export function Panel({ title, actions, flush = false, children }: PanelProps) {
  const id = useId()
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 className={styles.title} id={id}>
          {title}
        </h2>
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </div>
      <div className={flush ? styles.flush : styles.body}>{children}</div>
    </section>
  )
}

type PanelGridProps = {
  /** How much room each needs. */
  size?: 'small' | 'medium' | 'wide'
  children: ReactNode
}

/** Panels or charts side by side where there is room. */
export function PanelGrid({ size = 'medium', children }: PanelGridProps) {
  return <div className={classNames(styles.grid, styles[size])}>{children}</div>
}
