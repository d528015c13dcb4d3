import styles from './map.module.css'
import sea from './sea.module.css'

const WAVES =
  'M60 250q9-9 18 0t18 0M150 180q9-9 18 0t18 0M90 420q9-9 18 0t18 0M70 330q9-9 18 0t18 0M430 60q9-9 18 0t18 0M230 120q9-9 18 0t18 0M560 600q9-9 18 0t18 0M880 520q9-9 18 0t18 0M820 210q9-9 18 0t18 0'

/** Shallow water around a coast, and waves. */
export function Sea({ coast }: { coast: string }) {
  return (
    <>
      <use className={sea.shelf} href={`#${coast}`} strokeWidth="46" opacity=".13" />
      <use className={sea.shelf} href={`#${coast}`} strokeWidth="22" opacity=".22" />
      <path className={sea.waves} d={WAVES} />
    </>
  )
}

export function Compass({ x, y }: { x: number; y: number }) {
  return (
    <g className={styles.compass} transform={`translate(${x} ${y})`} aria-hidden="true">
      <circle r="38" fill="#fff3d9" stroke="#3a1d07" strokeWidth="4" />
      <circle r="29" fill="none" stroke="#c2834a" strokeWidth="2.5" strokeDasharray="2 5" />
      <path d="M0-26L8 0 0 26-8 0Z" fill="#f0cc8c" stroke="#3a1d07" strokeWidth="2" />
      <path d="M0-26L8 0H-8Z" fill="#cf3f30" stroke="#3a1d07" strokeWidth="2" strokeLinejoin="round" />
      <circle r="4" fill="#3a1d07" />
    </g>
  )
}

/** The player's flag, with its foot at the origin. */
export const MINE_FLAG = (
  <>
    <path d="M0 4V-34" stroke="#3a1d07" strokeWidth="5" strokeLinecap="round" />
    <path d="M1-34l24 8-24 9Z" fill="#cf3f30" stroke="#3a1d07" strokeWidth="2.5" strokeLinejoin="round" />
  </>
)
