import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { ContinentMap, MapParcel } from '#web/art/maps/continent-map.ts'
import type { Cotton } from '#game/cotton.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import { classNames } from '#web/ui/class-names.ts'
import { type LandState, describeLand } from '#web/land/land-state.ts'
import styles from '#web/land/map.module.css'
import { MapLand, Outline } from './map-land.tsx'
import { Compass, MINE_FLAG, Sea } from '#web/land/map-sea.tsx'
import { MapNames, type NamedPlace } from './map-names.tsx'
import { isStep, stepOnMap } from './map-steps.ts'

type LandMapProps = {
  map: ContinentMap
  parcels: readonly LandParcel[]
  stateOf: (parcel: LandParcel) => LandState
  /** Null for land that is not for sale. */
  priceOf: (parcel: LandParcel) => Cotton | null
  /** The parcel whose details are open. */
  chosen: string | null
  onChoose: (parcel: LandParcel) => void
}

type Place = MapParcel & NamedPlace & { label: string }

/**
 * The map of a continent. It is one tab stop; arrow keys move between parcels. The cards of the page are equivalent.
 */
export function LandMap({ map, parcels, stateOf, priceOf, chosen, onChoose }: LandMapProps) {
  const byId = new Map(parcels.map((parcel) => [parcel.parcelId, parcel]))
  const places = map.parcels.flatMap((parcel): Place[] => {
    const land = byId.get(parcel.parcelId)
    if (!land) return []
    const state = stateOf(land)
    const price = priceOf(land)
    return [{ ...parcel, land, state, price, label: describeLand(land, state, price) }]
  })
  const [visited, setVisited] = useState<string | null>(null)
  const stop = (places.find((place) => place.parcelId === visited) ?? places[0])?.parcelId
  const svg = useRef<SVGSVGElement>(null)
  const scroll = useRef<HTMLDivElement>(null)
  const mine = places.filter((place) => place.state === 'mine')

  // A phone shows a part of the map, at first its middle.
  useEffect(() => {
    const box = scroll.current
    if (box) box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2
  }, [])

  const onKey = (event: KeyboardEvent<SVGElement>, place: Place): void => {
    if (event.key === 'Enter' || event.key === ' ') onChoose(place.land)
    else if (isStep(event.key)) {
      const { parcelId } = stepOnMap(places, place, event.key)
      svg.current?.querySelector<SVGElement>(`[data-land="${parcelId}"]`)?.focus()
    } else return
    event.preventDefault()
  }

  const landProps = (place: Place) => ({
    parcel: place,
    tier: place.land.tier,
    state: place.state,
    label: place.label,
    isChosen: place.parcelId === chosen,
    isStop: place.parcelId === stop,
    onChoose: () => onChoose(place.land),
    onFocus: () => setVisited(place.parcelId),
    onKeyDown: (event: KeyboardEvent<SVGElement>) => onKey(event, place),
  })

  return (
    // While no parcel is focusable, the map itself is, so that the keyboard can scroll it.
    <div className={classNames(styles.scroll, places.length === 0 && styles.still)} ref={scroll}>
      <MapNames places={places} viewBox={withMargin(map.viewBox)}>
        <svg ref={svg} viewBox={withMargin(map.viewBox).join(' ')}>
          <MapBackground map={map} />
          {places.map((place) => (place.d ? <Outline key={place.parcelId} {...landProps(place)} /> : null))}
          {places.map((place) =>
            place.small ? <MapLand key={place.parcelId} {...landProps(place)} /> : null,
          )}
          <g className={styles.flags} aria-hidden="true">
            {mine.map(({ parcelId, pin }) => (
              <g key={parcelId} transform={`translate(${pin[0]} ${pin[1]})`}>
                {MINE_FLAG}
              </g>
            ))}
          </g>
          <Compass x={930} y={76} />
        </svg>
      </MapNames>
    </div>
  )
}

/** Margins for land beyond the frame and for flags on the upper edge. */
const MARGIN = 28

const withMargin = ([left, top, width, height]: ContinentMap['viewBox']): ContinentMap['viewBox'] => [
  left,
  top - MARGIN,
  width,
  height + 2 * MARGIN,
]

/** Everything below the parcels. It is large and never changes. */
function MapBackground({ map }: { map: ContinentMap }) {
  return useMemo(() => {
    const coast = `coast-${map.code}`
    return (
      <g aria-hidden="true">
        <defs>
          <path id={coast} d={map.parcels.map(({ d }) => d ?? '').join('')} />
        </defs>
        <Sea coast={coast} />
        {map.context ? <path className={styles.context} d={map.context} /> : null}
        <use className={styles.cliff} href={`#${coast}`} y="11" />
        <use className={styles.side} href={`#${coast}`} y="5" />
      </g>
    )
  }, [map])
}
