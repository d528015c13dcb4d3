import { Link } from 'react-router'
import { nextMilestones } from '#game/milestones.ts'
import warning from '#web/art/icons/warning.webp'
import { goalMessages } from '#web/messages/en-goals.ts'
import { paths } from '#web/paths.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { frameBody, Panel } from '#web/ui/frame.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { Note } from '#web/ui/note.tsx'
import { RetryButton } from '#web/ui/retry-button.tsx'
import { BadgeList } from './badge-list.tsx'
import styles from './badge-list.module.css'
import { useMilestones } from './use-milestones.ts'

/** The player's badges, for the profile. */
export function BadgeShelf() {
  const { data, isError, refetch } = useMilestones()
  return (
    <Panel title={goalMessages.shelf} id="milestones" className={styles.shelf}>
      <div className={frameBody}>
        {data ? (
          <>
            <BadgeList granted={data.granted} next={nextMilestones(data.facts).slice(0, 3)} />
            <Link className={buttonClass({ size: 'sm' })} to={paths.myFarm}>
              {goalMessages.toBoard}
            </Link>
          </>
        ) : isError ? (
          <>
            <Note tone="bad" picture={warning} role="alert">
              {goalMessages.failed}
            </Note>
            <RetryButton size="sm" onClick={() => void refetch()} />
          </>
        ) : (
          <Loading text={goalMessages.loading} />
        )}
      </div>
    </Panel>
  )
}
