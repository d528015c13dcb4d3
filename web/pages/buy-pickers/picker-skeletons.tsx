import { WORKER_TYPES } from '#game/workers.ts'
import { Frame } from '#web/ui/frame.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { words } from '#web/words/en.ts'
import styles from './buy-pickers.module.css'

/** Four empty cards of the size of the real ones, so that nothing jumps when they arrive. */
export function PickerSkeletons() {
  return (
    <>
      <output className="vh">{words.loading}</output>
      {WORKER_TYPES.map((type) => (
        <Frame small key={type} className={styles.card} aria-hidden="true">
          <div className={styles.skeletonArt}>
            <Skeleton height="100%" borderRadius="15px" />
          </div>
          <div className={styles.body}>
            <Skeleton width="60%" height="30px" margin="0 auto 14px" />
            <Skeleton height="32px" margin="0 0 10px" />
            <Skeleton height="32px" margin="0 0 10px" />
            <Skeleton height="32px" margin="0 0 16px" />
            <Skeleton height="26px" margin="0 0 16px" />
            <Skeleton height="50px" margin="0 0 30px" />
          </div>
        </Frame>
      ))}
    </>
  )
}
