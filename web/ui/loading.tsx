import type { CSSProperties } from 'react'
import boll from '#web/art/boll.svg'
import styles from './loading.module.css'

/** A grey placeholder for content that is loading. */
export function Skeleton(
  place: Pick<CSSProperties, 'width' | 'height' | 'margin' | 'borderRadius' | 'flex'>,
) {
  return <span className={styles.skeleton} style={place} aria-hidden="true" />
}

/** Three hopping bolls and a sentence about what is loading. */
export function Loading({ text }: { text: string }) {
  return (
    <output className={styles.loading}>
      <span className={styles.hopper} aria-hidden="true">
        <img src={boll} width="46" height="46" alt="" />
        <img src={boll} width="46" height="46" alt="" />
        <img src={boll} width="46" height="46" alt="" />
      </span>
      <span className={styles.text}>{text}</span>
    </output>
  )
}
