import type { KeyboardEvent } from 'react'
import type { Tier } from '#game/parcels.ts'
import type { MapParcel } from '#web/art/maps/continent-map.ts'
import { classNames } from '#web/ui/class-names.ts'
import type { LandState } from '#web/land/land-state.ts'
import styles from '#web/land/map.module.css'

const PIN_RADIUS = 8
/** The clickable area of a pin is larger than the pin. */
const REACH_RADIUS = 13

const TONES: Readonly<Record<Tier, string | undefined>> = {
  1: styles.tier1,
  2: styles.tier2,
  3: styles.tier3,
}

type MapLandProps = {
  parcel: MapParcel
  tier: Tier | undefined
  state: LandState
  label: string
  isChosen: boolean
  isStop: boolean
  onChoose: () => void
  onFocus: () => void
  onKeyDown: (event: KeyboardEvent<SVGElement>) => void
}

const landClass = ({ tier, state, isChosen }: MapLandProps): string =>
  classNames(
    styles.land,
    tier && TONES[tier],
    state === 'owned' && styles.owned,
    state === 'mine' && styles.mine,
    isChosen && styles.chosen,
  )

const buttonProps = ({ parcel, label, isStop, onChoose, onFocus, onKeyDown }: MapLandProps) => ({
  role: 'button',
  'data-land': parcel.parcelId,
  'data-place': parcel.parcelId,
  'aria-label': label,
  tabIndex: isStop ? 0 : -1,
  onClick: onChoose,
  onFocus,
  onKeyDown,
})

/** A parcel as its outline. If it is too small to be pressed, its pin is the button. */
export function Outline(props: MapLandProps) {
  const { parcel, onChoose } = props
  if (parcel.small)
    return (
      <path
        className={landClass(props)}
        d={parcel.d ?? ''}
        data-place={parcel.parcelId}
        aria-hidden="true"
        onClick={onChoose}
      />
    )
  return <path {...buttonProps(props)} className={landClass(props)} d={parcel.d ?? ''} />
}

/** A small parcel as a pin. It bears no flag: a flag on the map means that its player owns the land. */
export function MapLand(props: MapLandProps) {
  const [x, y] = props.parcel.pin
  return (
    <g {...buttonProps(props)} className={styles.pin}>
      <circle className={styles.reach} cx={x} cy={y} r={REACH_RADIUS} />
      <circle className={landClass(props)} cx={x} cy={y} r={PIN_RADIUS} />
    </g>
  )
}
