import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useLandStats } from '#web/land/use-land-stats.ts'
import warning from '#web/art/icons/warning.webp'
import { FreshnessBadge } from '#web/realtime/freshness-badge.tsx'
import { PageHeader } from '#web/shell/page-header.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { Note } from '#web/ui/note.tsx'
import { RetryButton } from '#web/ui/retry-button.tsx'
import { CONTINENTS } from '#game/continents.ts'
import { landMessages } from '#web/messages/en-land.ts'
import { ContinentCard } from './continent-card.tsx'
import { Signposts } from './signposts.tsx'
import styles from './world.module.css'
import { WorldPicture } from '#web/land/world-picture.tsx'
import { YourLand } from './your-land.tsx'

export default function WorldPage() {
  const { world, failed, retry } = useLandStats()
  return (
    <>
      <PageHeader title={landMessages.world} sub={landMessages.worldSub} />
      {failed ? (
        <Note tone="bad" picture={warning} role="alert" className={styles.failed} data-outage="">
          <span>{landMessages.statsFailed}</span>
          <RetryButton size="sm" icon={<RefreshCw aria-hidden="true" />} onClick={retry} />
        </Note>
      ) : null}
      {/* The cards below are the accessible equivalent of the map. */}
      <Frame className={styles.frame} aria-hidden="true">
        <div className={styles.map}>
          <WorldPicture />
          <Signposts continents={world} />
        </div>
      </Frame>
      <FreshnessBadge failed={failed} className={styles.freshness} />
      <ul className={styles.cards} aria-label={landMessages.continents}>
        {CONTINENTS.map((code) => (
          <li key={code}>
            <ContinentCard code={code} continent={world[code]} />
          </li>
        ))}
        <li>
          <YourLand />
        </li>
      </ul>
      <p className={styles.neutral}>{landMessages.neutral}</p>
    </>
  )
}
