import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { type Outcome, OUTCOME_ICONS, type OutcomeKind } from './outcome.ts'
import { OutcomeText } from './outcome-text.tsx'
import styles from './outcome.module.css'

/** The class of a box that shows an outcome. It sets the colours of its kind. */
export const outcomeClass = (kind: OutcomeKind, ...more: readonly (string | undefined)[]): string =>
  classNames(styles.outcome, kind !== 'success' && styles[kind], ...more)

type OutcomeBodyProps = Outcome & { children?: ReactNode }

export function OutcomeBody({ kind, title, text, children }: OutcomeBodyProps) {
  return (
    <>
      <img className={styles.icon} src={OUTCOME_ICONS[kind]} width="40" height="40" alt="" />
      <div>
        {title ? <p className={styles.title}>{title}</p> : null}
        <p className={styles.text}>
          <OutcomeText text={text} />
        </p>
        {children}
      </div>
    </>
  )
}
