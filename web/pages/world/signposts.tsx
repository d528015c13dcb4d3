import { Link } from 'react-router'
import { CONTINENT_NAMES, CONTINENTS } from '#game/continents.ts'
import { soldPercent } from '#game/parcels.ts'
import { animals } from '#web/art/continents/animals.ts'
import { useWorldMap } from '#web/land/use-continent-map.ts'
import { continentPath } from '#web/paths.ts'
import type { WorldState } from '#web/realtime/land-changes.ts'
import { landMessages } from '#web/messages/en-land.ts'
import styles from './world.module.css'

/** A signpost on each continent, for pointers only. The cards offer the same to everyone. */
export function Signposts({ continents }: { continents: WorldState }) {
  const { data: world } = useWorldMap()
  if (!world) return null
  const [left, top, width, height] = world.viewBox
  return CONTINENTS.map((code) => {
    const [x, y] = world.continents[code].sign
    const { count } = continents[code]
    return (
      <Link
        key={code}
        className={styles.post}
        style={{ left: `${((x - left) / width) * 100}%`, top: `${((y - top) / height) * 100}%` }}
        to={continentPath(code)}
        tabIndex={-1}
      >
        <span className={styles.board}>
          <img src={animals[code]} width="34" height="34" alt="" />
          <span className={styles.postName}>{CONTINENT_NAMES[code]}</span>
          <small>{count ? landMessages.signpost(soldPercent(count)) : '–'}</small>
        </span>
      </Link>
    )
  })
}
