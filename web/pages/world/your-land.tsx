import { Link } from 'react-router'
import { useOwnedLand } from '#web/api/use-owned-land.ts'
import flag from '#web/art/icons/flag.webp'
import { paths } from '#web/paths.ts'
import { AuthSplit } from '#web/shell/auth-split.tsx'
import { Flag } from '#web/land/flag.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { frameClass } from '#web/ui/frame.tsx'
import { landMessages } from '#web/messages/en-land.ts'
import styles from './world.module.css'

/** The card has room for this many flags. */
const MOST_FLAGS = 10

/** The eighth card: the land that the player owns. */
export function YourLand() {
  const { data: land } = useOwnedLand()
  const count =
    land === undefined
      ? '–'
      : land.length === 0
        ? landMessages.yoursNone
        : landMessages.yoursCount(land.length)
  return (
    <Link className={frameClass({ small: true }, classNames(styles.card, styles.you))} to={paths.ownedLand}>
      <span className={styles.cardTop}>
        <img src={flag} width="62" height="62" alt="" />
        <span>
          <b className={styles.name}>{landMessages.yours}</b>
          <span className={styles.left}>
            <AuthSplit box="span" visitor={landMessages.yoursConnect} player={count} />
          </span>
        </span>
      </span>
      {land && land.length > 0 ? (
        <span className={classNames(styles.cardIn, styles.flagRow)} aria-hidden="true">
          {land.slice(0, MOST_FLAGS).map(({ parcelId, countryCode }) => (
            <Flag key={parcelId} countryCode={countryCode} alt="" />
          ))}
        </span>
      ) : null}
    </Link>
  )
}
