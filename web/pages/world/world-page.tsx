import { RefreshCw } from 'lucide-react'
import { useLandStats } from '#web/land/use-land-stats.ts'
import warning from '#web/art/icons/warning.webp'
import { NewsSign } from '#web/realtime/news-sign.tsx'
import { PageHeader } from '#web/shell/page-header.tsx'
import { Button } from '#web/ui/button.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { Note } from '#web/ui/note.tsx'
import { CONTINENTS } from '#game/continents.ts'
import { landWords } from '#web/messages/en-land.ts'
import { words } from '#web/messages/en.ts'
import { ContinentCard } from './continent-card.tsx'
import { Signposts } from './signposts.tsx'
import styles from './world.module.css'
import { WorldPicture } from '#web/land/world-picture.tsx'
import { YourLand } from './your-land.tsx'

export default function WorldPage() {
  const { news, failed, retry } = useLandStats()
  return (
    <>
      <PageHeader current="buy-pickers" title={landWords.world} sub={landWords.worldSub} />
      {failed ? (
        <Note tone="bad" picture={warning} role="alert" className={styles.failed}>
          <span>{landWords.statsFailed}</span>
          <Button size="sm" icon={<RefreshCw aria-hidden="true" />} onClick={retry}>
            {words.tryAgain}
          </Button>
        </Note>
      ) : null}
      {/* The cards below are the map for those who cannot point at it. */}
      <Frame className={styles.frame} aria-hidden="true">
        <div className={styles.map}>
          <WorldPicture />
          <Signposts news={news} />
        </div>
      </Frame>
      <NewsSign failed={failed} className={styles.news} />
      <ul className={styles.cards} aria-label={landWords.continents}>
        {CONTINENTS.map((code) => (
          <li key={code}>
            <ContinentCard code={code} news={news[code]} />
          </li>
        ))}
        <li>
          <YourLand />
        </li>
      </ul>
      <p className={styles.neutral}>{landWords.neutral}</p>
    </>
  )
}
