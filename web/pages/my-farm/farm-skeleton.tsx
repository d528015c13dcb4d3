import { WORKER_TYPES } from '#game/workers.ts'
import { Frame } from '#web/ui/frame.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { farmMessages } from '#web/messages/en-farm.ts'
import styles from './farm.module.css'
import totalStyles from './totals.module.css'

/** A placeholder of the same size as the farm. */
export function FarmSkeleton() {
  return (
    <>
      <output className="vh">{farmMessages.loading}</output>
      <div className={totalStyles.totals} aria-hidden="true">
        {['owned', 'collecting', 'ready'].map((total) => (
          <div className={classNames(totalStyles.total, total === 'ready' && totalStyles.ready)} key={total}>
            <Skeleton flex="1" height="44px" width="100%" />
          </div>
        ))}
      </div>
      <Frame className={styles.farm} aria-hidden="true">
        <div className={styles.scene}>
          {WORKER_TYPES.map((type) => (
            <div className={styles.plot} key={type}>
              <div className={styles.stage} />
              <div className={styles.sign}>
                <Skeleton height="28px" margin="0 0 10px" />
                <Skeleton height="50px" margin="0 0 26px" />
              </div>
            </div>
          ))}
        </div>
      </Frame>
    </>
  )
}
