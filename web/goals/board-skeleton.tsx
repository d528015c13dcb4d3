import { goalMessages } from '#web/messages/en-goals.ts'
import { Skeleton } from '#web/ui/loading.tsx'
import styles from './board.module.css'

/** The board while it loads, about as high as the loaded one. */
export function BoardSkeleton() {
  return (
    <div className={styles.body}>
      <output className="vh">{goalMessages.loading}</output>
      <div className={styles.goals}>
        <Skeleton height={148} borderRadius={20} />
        <Skeleton height={148} borderRadius={20} />
      </div>
      <Skeleton height={120} borderRadius={20} />
      <Skeleton height={180} borderRadius={20} />
    </div>
  )
}
