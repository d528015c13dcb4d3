import { useId } from 'react'
import { flagUrl } from '#web/art/flags/flag-url.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import { classNames } from '#web/ui/class-names.ts'
import { LazyImage } from '#web/ui/lazy-image.tsx'
import { Flag } from './flag.tsx'
import styles from './lot.module.css'
import type { LandState } from './land-state.ts'
import { TierMedal } from './tier-medal.tsx'

type LandPictureProps = {
  parcel: Pick<LandParcel, 'countryCode' | 'tier'>
  state: LandState
  /** Null if there is no outline, undefined while it loads. */
  shape: string | null | undefined
  large?: boolean
}

/** The parcel as an island with its flag and its medal. Without an outline the flag takes its place. */
export function LandPicture({ parcel, state, shape, large = false }: LandPictureProps) {
  const flag = flagUrl(parcel.countryCode)
  const outline = useId()
  return (
    <span
      className={classNames(large ? styles.pictureLarge : styles.picture, styles[state])}
      aria-hidden="true"
    >
      {flag && shape !== null ? (
        <Flag className={styles.flag} countryCode={parcel.countryCode} alt="" />
      ) : null}
      <TierMedal tier={parcel.tier} className={styles.medal} />
      {shape ? (
        <svg className={styles.shape} viewBox="0 0 100 76" aria-hidden="true">
          <defs>
            <path id={outline} d={shape} />
          </defs>
          <use className={styles.foam} href={`#${outline}`} />
          <use className={styles.cliff} href={`#${outline}`} y="6" />
          <use className={styles.side} href={`#${outline}`} y="3" />
          <use className={styles.top} href={`#${outline}`} />
        </svg>
      ) : null}
      {flag && shape === null ? (
        <span className={styles.flagLarge}>
          <LazyImage src={flag} width="96" height="72" alt="" />
        </span>
      ) : null}
    </span>
  )
}

/** The SVG pattern of owned land. Every page that shows land includes it once. */
export function OwnedPattern() {
  return (
    <svg className={styles.patterns} width="0" height="0" aria-hidden="true">
      <defs>
        <pattern
          id="owned-land"
          width="9"
          height="9"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="9" height="9" fill="#f2c27a" />
          <rect width="3.5" height="9" fill="#dc9f4c" />
        </pattern>
      </defs>
    </svg>
  )
}
