import { Link } from 'react-router'
import { CONTINENT_NAMES, type ContinentCode, CONTINENTS } from '#game/continents.ts'
import type { MilestoneFacts } from '#game/milestones.ts'
import { continentOf, type Parcel } from '#game/parcels.ts'
import { parcelOf } from '#game/world.ts'
import { animals } from '#web/art/continents/animals.ts'
import { flagUrl } from '#web/art/flags/flag-url.ts'
import map from '#web/art/icons/map.webp'
import { goalMessages } from '#web/messages/en-goals.ts'
import { continentPath, paths } from '#web/paths.ts'
import { classNames } from '#web/ui/class-names.ts'
import { LazyImage } from '#web/ui/lazy-image.tsx'
import styles from './collections.module.css'

/** More flags than these would not fit on a card. */
const MAX_FLAGS = 8

/** The countries that have ever belonged to the player, by continent. */
export function Collections({ facts }: { facts: MilestoneFacts }) {
  const parcels = facts.parcelIds.flatMap((parcelId) => parcelOf(parcelId) ?? [])
  const byContinent = Map.groupBy(parcels, ({ parcelId }) => continentOf(parcelId))
  return (
    <div>
      <h3 className={styles.heading}>{goalMessages.collections}</h3>
      <ul className={styles.continents}>
        {CONTINENTS.map((code) => (
          <li key={code}>
            <Continent code={code} parcels={byContinent.get(code) ?? []} total={facts.landOf[code]} />
          </li>
        ))}
        <li>
          <World facts={facts} continents={byContinent.size} />
        </li>
      </ul>
      <p className={styles.hint}>{goalMessages.collectionHint}</p>
    </div>
  )
}

type ContinentProps = { code: ContinentCode; parcels: readonly Parcel[]; total: number }

function Continent({ code, parcels, total }: ContinentProps) {
  const name = CONTINENT_NAMES[code]
  const flags = parcels.slice(0, MAX_FLAGS)
  const more = parcels.length - flags.length
  return (
    <Link
      className={classNames(
        styles.continent,
        parcels.length === 0 && styles.empty,
        total > 0 && parcels.length >= total && styles.complete,
      )}
      to={continentPath(code)}
    >
      <img className={styles.animal} src={animals[code]} width="52" height="52" alt="" />
      <span className={styles.name}>
        <b>{name}</b>
        <small className="num">{goalMessages.collected(parcels.length, total)}</small>
      </span>
      {parcels.length > 0 ? (
        <span className="vh">{goalMessages.names(parcels.map(({ countryName }) => countryName))}</span>
      ) : null}
      <span className={styles.flags} aria-hidden="true">
        {flags.map(({ parcelId, countryCode, countryName }) => (
          <LazyImage
            key={parcelId}
            src={flagUrl(countryCode) ?? ''}
            title={countryName}
            width="32"
            height="24"
            alt=""
          />
        ))}
        {more > 0 ? <small>{goalMessages.moreFlags(more)}</small> : null}
      </span>
    </Link>
  )
}

/** All continents together. */
function World({ facts, continents }: { facts: MilestoneFacts; continents: number }) {
  const total = CONTINENTS.reduce((sum, code) => sum + facts.landOf[code], 0)
  return (
    <Link className={classNames(styles.continent, styles.world)} to={paths.world}>
      <img className={styles.animal} src={map} width="52" height="52" alt="" />
      <span className={styles.name}>
        <b>{goalMessages.world}</b>
        <small className="num">{goalMessages.collected(facts.parcelIds.length, total)}</small>
      </span>
      <span className={styles.flags}>
        <small>{goalMessages.continentsSeen(continents, CONTINENTS.length)}</small>
      </span>
    </Link>
  )
}
