import ArrowRight from 'lucide-react/icons/arrow-right'
import { type Cotton, formatCotton } from '#game/cotton.ts'
import { useBalance } from '#web/api/use-balance.ts'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { formatAmount } from '#web/messages/amount.ts'
import styles from './deposit.module.css'

/** What the wallet holds and what the game holds, which a deposit moves from left to right. */
export function WalletToGame({ inWallet, failed }: { inWallet: Cotton | undefined; failed: boolean }) {
  const balance = useBalance()
  return (
    <>
      <dl className={styles.move}>
        <div>
          <dt>{depositMessages.inWallet}</dt>
          <dd className="num">{formatAmount(inWallet ?? null)}</dd>
        </div>
        <ArrowRight aria-hidden="true" />
        <div>
          <dt>{depositMessages.inGame}</dt>
          <dd className="num">{balance === undefined ? '–' : formatCotton(balance)}</dd>
        </div>
      </dl>
      {failed && inWallet === undefined ? (
        <p className={styles.hint}>{depositMessages.walletUnknown}</p>
      ) : inWallet === 0n ? (
        <p className={styles.hint}>{depositMessages.walletEmpty}</p>
      ) : null}
    </>
  )
}
