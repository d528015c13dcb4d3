import { type FocusEvent, type PointerEvent, type ReactNode, useEffect, useState } from 'react'
import { type Cotton, formatCotton } from '#game/cotton.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import type { Point } from '#web/art/maps/continent-map.ts'
import coin from '#web/art/coin.svg'
import type { LandState } from '#web/land/land-state.ts'
import map from '#web/land/map.module.css'
import { OwnerChip } from '#web/land/owner-chip.tsx'
import { landMessages } from '#web/messages/en-land.ts'
import styles from './map-names.module.css'

export type NamedPlace = {
  parcelId: string
  pin: Point
  land: LandParcel
  state: LandState
  /** What the game or a seller asks for it; null if it is not for sale. */
  price: Cotton | null
}

type MapNamesProps = {
  places: readonly NamedPlace[]
  viewBox: readonly [left: number, top: number, width: number, height: number]
  children: ReactNode
}

/**
 * A map whose land shows name, tier, owner and price while the pointer is on it or the keyboard focuses it. On a touch
 * screen a tap opens the details instead.
 */
export function MapNames({ places, viewBox, children }: MapNamesProps) {
  const [shown, setShown] = useState<string | null>(null)
  const place = places.find(({ parcelId }) => parcelId === shown)

  useEffect(() => {
    if (shown === null) return
    const hide = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setShown(null)
    }
    document.addEventListener('keydown', hide)
    return () => document.removeEventListener('keydown', hide)
  }, [shown])

  const show = ({ target }: PointerEvent | FocusEvent): void => {
    const land = target instanceof Element ? target.closest('[data-place]') : null
    setShown(land?.getAttribute('data-place') ?? null)
  }
  return (
    <div
      className={map.map}
      onPointerOver={(event) => {
        if (event.pointerType !== 'touch') show(event)
      }}
      onPointerLeave={() => setShown(null)}
      onFocus={(event) => {
        if (event.target.matches(':focus-visible')) show(event)
      }}
      onBlur={() => setShown(null)}
    >
      {children}
      {place ? <NameSign place={place} viewBox={viewBox} /> : null}
    </div>
  )
}

/** Below this share of the map's height there is room for the sign above the land. */
const ROOM_ABOVE = 0.42

/** Repeats for the eye what the button's accessible name says. */
function NameSign({ place, viewBox }: { place: NamedPlace; viewBox: MapNamesProps['viewBox'] }) {
  const [left, top, width, height] = viewBox
  const { land, state, price, pin } = place
  const across = Math.min(1, Math.max(0, (pin[0] - left) / width))
  const down = Math.min(1, Math.max(0, (pin[1] - top) / height))
  const percent = (share: number): string => `${share * 100}%`
  return (
    <div
      className={styles.sign}
      // Shifted by its own width as far as it is across the map, so that it never leaves the map.
      style={{
        left: percent(across),
        top: percent(down),
        translate: `${percent(-across)} ${down > ROOM_ABOVE ? 'calc(-100% - 18px)' : '18px'}`,
      }}
      data-sign={land.parcelId}
      aria-hidden="true"
    >
      <b className={styles.name}>{land.countryName}</b>
      <span className={styles.line}>
        {land.tier === undefined ? null : <span>{landMessages.tier(land.tier)}</span>}
        <OwnerChip parcel={land} state={state} />
      </span>
      {price === null ? null : (
        <span className={styles.price}>
          {state === 'available' ? null : landMessages.forSale}
          <img src={coin} width="20" height="20" alt="" />
          <span className="num">{formatCotton(price)}</span>
        </span>
      )}
    </div>
  )
}
