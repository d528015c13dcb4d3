import type { ReactNode } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import styles from './facts.module.css'

type FactsProps = {
  facts: readonly (readonly [name: string, value: ReactNode])[]
  /** For addresses and other long values. */
  long?: boolean
}

/** Labelled values, in as many columns as fit. */
export function Facts({ facts, long = false }: FactsProps) {
  return (
    <dl className={classNames(styles.facts, long && styles.long)}>
      {facts.map(([name, value]) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
