import { Frame, frameBody } from '#web/ui/frame.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Loading, Skeleton } from '#web/ui/loading.tsx'
import { transparencyMessages as text } from '#web/messages/en-transparency.ts'
import styles from './transparency.module.css'

const PANELS = ['supply', 'flows', 'budget', 'queue']

export function TransparencySkeleton() {
  return (
    <>
      <Loading text={text.loading} />
      <div className={styles.page} aria-hidden="true">
        <Frame className={styles.wide}>
          <div className={classNames(frameBody, styles.list)}>
            <Skeleton height="34px" margin="0 0 22px" />
            <Skeleton height="34px" margin="0 0 22px" />
            <Skeleton height="52px" />
          </div>
        </Frame>
        {PANELS.map((panel) => (
          <Frame key={panel}>
            <div className={classNames(frameBody, styles.list)}>
              <Skeleton height="42px" margin="0 0 16px" />
              <Skeleton height="42px" margin="0 0 16px" />
              <Skeleton height="42px" />
            </div>
          </Frame>
        ))}
      </div>
    </>
  )
}
