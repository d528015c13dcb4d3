import { Link } from 'react-router'
import map from '#web/art/icons/map.webp'
import { WorldPicture } from '#web/land/world-picture.tsx'
import { paths } from '#web/paths.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { landMessages } from '#web/messages/en-land.ts'
import styles from './land-banner.module.css'

/** Links the pickers page to the world map. */
export function LandBanner() {
  return (
    <Frame className={styles.banner} aria-labelledby="land-band">
      <div className={styles.text}>
        <h2 className={styles.title} id="land-band">
          {landMessages.bannerTitle}
        </h2>
        <p>{landMessages.bannerText}</p>
        <Link className={buttonClass({ tone: 'sun' })} to={paths.world}>
          <img src={map} width="26" height="26" alt="" />
          {landMessages.openMap}
        </Link>
      </div>
      <div className={styles.map}>
        <WorldPicture viewBox="20 0 1160 560" />
      </div>
    </Frame>
  )
}
