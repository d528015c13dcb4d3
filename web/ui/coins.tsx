import type { ReactNode } from 'react'
import coin from '#web/art/coin.svg'
import styles from './coins.module.css'

/** An amount with a coin in front. */
export function Coins({ children }: { children: ReactNode }) {
  return (
    <span className={styles.coins}>
      <img src={coin} width="22" height="22" alt="" />
      {children}
    </span>
  )
}
