import { Frame } from '#web/ui/frame.tsx'
import { Loading, Skeleton } from '#web/ui/loading.tsx'
import { marketMessages } from '#web/messages/en-market.ts'
import styles from '#web/land/market.module.css'

const CARDS = ['one', 'two', 'three', 'four']

export function LoadingListings() {
  return (
    <>
      <Loading text={marketMessages.loading} />
      <ul className={styles.grid} aria-hidden="true">
        {CARDS.map((card) => (
          <li key={card}>
            <Frame small className={styles.blank}>
              <Skeleton height="128px" margin="0 0 14px" />
              <Skeleton height="22px" width="70%" margin="0 0 10px" />
              <Skeleton height="16px" width="50%" margin="0 0 16px" />
              <Skeleton height="28px" width="80%" margin="0 0 16px" />
              <Skeleton height="44px" />
            </Frame>
          </li>
        ))}
      </ul>
    </>
  )
}
