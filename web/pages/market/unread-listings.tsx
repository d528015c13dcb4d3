import type { UseQueryResult } from '@tanstack/react-query'
import warning from '#web/art/icons/warning.webp'
import type { Listing } from '#web/land/use-listings.ts'
import { Empty } from '#web/ui/empty.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { Loading, Skeleton } from '#web/ui/loading.tsx'
import { RetryButton } from '#web/ui/retry-button.tsx'
import { marketMessages } from '#web/messages/en-market.ts'
import styles from '#web/land/market.module.css'

const CARDS = ['one', 'two', 'three', 'four']

/** In place of listings that have not been read. While polling, the failure is shown until a read succeeds. */
export function UnreadListings({ query }: { query: UseQueryResult<readonly Listing[]> }) {
  if (query.errorUpdateCount === 0) return <LoadingListings />
  return (
    <Empty
      alert
      picture={<img src={warning} width="128" height="128" alt="" />}
      title={marketMessages.failed}
      text={marketMessages.failedText}
    >
      <RetryButton onClick={() => void query.refetch()} />
    </Empty>
  )
}

function LoadingListings() {
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
