import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { Cotton } from '#game/cotton.ts'
import { useSession } from '#web/api/session.ts'
import { useBalance } from '#web/api/use-balance.ts'
import { useOwnedWorkers } from '#web/api/use-owned-workers.ts'
import check from '#web/art/icons/check.webp'
import { forgetArrived } from '#web/deposits/deposit-state.ts'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { paths } from '#web/paths.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { TransientButton } from '#web/ui/transient-button.tsx'
import styles from './deposit.module.css'

/** A credited deposit, and what the player can do with it. It is shown until the player leaves. */
export function DepositArrived({ amount, onMore }: { amount: Cotton; onMore: () => void }) {
  const balance = useBalance() ?? null
  const { data: workers } = useOwnedWorkers({ refresh: false })
  const { walletAddress } = useSession()
  const box = useRef<HTMLDivElement>(null)
  const title = useRef<HTMLParagraphElement>(null)
  // The button that was pressed has disappeared.
  useEffect(() => {
    if (document.activeElement === document.body) title.current?.focus({ preventScroll: true })
  }, [])
  // At the next visit the balance is another one, and the player comes to deposit more.
  useEffect(() => {
    const element = box.current
    return () => {
      if (!element?.isConnected) forgetArrived(walletAddress)
    }
  }, [walletAddress])
  return (
    <div className={styles.arrived} ref={box}>
      <output className={styles.result}>
        <p className={styles.arrivedTitle} ref={title} tabIndex={-1}>
          <img src={check} width="44" height="44" alt="" />
          {depositMessages.arrived(amount)}
        </p>
        <p>{depositMessages.credited(amount, balance)}</p>
      </output>
      <div className={styles.foot}>
        <Link className={buttonClass({ tone: 'leaf', block: true })} to={paths.buyPickers}>
          {workers?.length === 0 ? depositMessages.hireFirst : depositMessages.hireMore}
        </Link>
        <TransientButton focusAfter="deposit-title" onClick={onMore}>
          {depositMessages.depositMore}
        </TransientButton>
      </div>
    </div>
  )
}
