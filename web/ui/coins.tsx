import type { ReactNode } from 'react'
import coin from '#web/art/coin.svg'
import styles from './coins.module.css'

/** An amount with a coin in front. It is alone in an element, so that it also changes on a page that is translated. */
export function Coins({ children }: { children: ReactNode }) {
  return (
    <span className={styles.coins}>
      <img src={coin} width="22" height="22" alt="" />
      <span>{children}</span>
    </span>
  )
}
