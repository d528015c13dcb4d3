import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { CONTINENT_NAMES, type ContinentCode, CONTINENTS } from '#game/continents.ts'
import { animals } from '#web/art/continents/animals.ts'
import { continentPath } from '#web/paths.ts'
import { landMessages } from '#web/messages/en-land.ts'
import styles from './parcels.module.css'

export function ContinentChips({ current }: { current: ContinentCode }) {
  const row = useRef<HTMLElement>(null)

  // On a phone the row scrolls. Bring the chip of this continent into view.
  useEffect(() => {
    const chip = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (row.current && chip)
      row.current.scrollLeft = chip.offsetLeft - (row.current.clientWidth - chip.clientWidth) / 2
  }, [])

  return (
    <nav className={styles.chips} aria-label={landMessages.continents} ref={row}>
      {CONTINENTS.map((code) => (
        <Link
          key={code}
          className={styles.chip}
          to={continentPath(code)}
          aria-current={code === current ? 'page' : undefined}
        >
          <img src={animals[code]} width="30" height="30" alt="" />
          {CONTINENT_NAMES[code]}
        </Link>
      ))}
    </nav>
  )
}
