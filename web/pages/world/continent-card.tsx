import { Link } from 'react-router'
import { CONTINENT_NAMES, type ContinentCode } from '#game/continents.ts'
import { formatCotton } from '#game/cotton.ts'
import coin from '#web/art/coin.svg'
import { animals } from '#web/art/continents/animals.ts'
import { SoldBar } from '#web/land/sold-bar.tsx'
import { continentPath } from '#web/paths.ts'
import type { ContinentState } from '#web/realtime/land-changes.ts'
import { frameClass } from '#web/ui/frame.tsx'
import { landMessages } from '#web/messages/en-land.ts'
import styles from './world.module.css'

export function ContinentCard({ code, continent }: { code: ContinentCode; continent: ContinentState }) {
  const { count, price } = continent
  const region = CONTINENT_NAMES[code]
  return (
    <Link className={frameClass({ small: true }, styles.card)} to={continentPath(code)}>
      <span className={styles.cardTop}>
        <img src={animals[code]} width="62" height="62" alt="" />
        <span>
          <b className={styles.name}>{region}</b>
          <span className={styles.left}>
            {count ? landMessages.left(count.total - count.owned, count.total) : '–'}
          </span>
        </span>
      </span>
      <div className={styles.cardIn}>
        <SoldBar
          owned={count?.owned ?? 0}
          total={count?.total ?? 0}
          path={count?.path ?? 'api'}
          region={region}
        />
        <span className={styles.cardRow}>
          <span>{landMessages.currentPrice}</span>
          <span className={styles.price}>
            <img src={coin} width="22" height="22" alt="" />
            <span className="num">{price ? formatCotton(price.amount) : '–'}</span>
          </span>
        </span>
      </div>
    </Link>
  )
}
