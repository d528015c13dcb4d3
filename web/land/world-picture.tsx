import { type ContinentCode, CONTINENTS } from '#game/continents.ts'
import { useWorldMap } from './use-continent-map.ts'
import { Compass } from './map-sea.tsx'
import sea from './sea.module.css'
import styles from './world-picture.module.css'

const COLOURS: Readonly<Record<ContinentCode, { top: string; side: string }>> = {
  NA: { top: '#f7b650', side: '#c5761a' },
  SA: { top: '#8fd253', side: '#4b8f26' },
  EU: { top: '#b792ea', side: '#7448b0' },
  AF: { top: '#ffd84f', side: '#cf960f' },
  AS: { top: '#f58d70', side: '#b9452b' },
  OC: { top: '#5fd3c0', side: '#238e7f' },
  AN: { top: '#f3f9fd', side: '#a9c6da' },
}

const WAVES =
  'M120 330q8-8 16 0t16 0M210 430q8-8 16 0t16 0M150 520q8-8 16 0t16 0M430 300q8-8 16 0t16 0M520 470q8-8 16 0t16 0M700 500q8-8 16 0t16 0M420 200q8-8 16 0t16 0M840 430q8-8 16 0t16 0M1040 500q8-8 16 0t16 0M960 560q8-8 16 0t16 0M1120 300q8-8 16 0t16 0M1090 200q8-8 16 0t16 0M60 200q8-8 16 0t16 0'

/** The seven continents in their colours. Only the sea until the map has loaded. Decorative. */
export function WorldPicture({ viewBox }: { viewBox?: string }) {
  const { data: world } = useWorldMap()
  return (
    <svg
      className={styles.picture}
      viewBox={viewBox ?? '0 0 1200 620'}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      {world ? (
        <>
          <defs>
            {CONTINENTS.map((code) => (
              <path key={code} id={`continent-${code}`} d={world.continents[code].d} />
            ))}
          </defs>
          {[
            { strokeWidth: 34, opacity: 0.13 },
            { strokeWidth: 16, opacity: 0.22 },
          ].map((shelf) => (
            <g key={shelf.strokeWidth} className={sea.shelf} {...shelf}>
              {CONTINENTS.map((code) => (
                <use key={code} href={`#continent-${code}`} />
              ))}
            </g>
          ))}
          <path className={sea.waves} d={WAVES} />
          {CONTINENTS.map((code) => (
            <g key={code}>
              <use href={`#continent-${code}`} y="9" fill="#7d4f27" />
              <use href={`#continent-${code}`} y="4" fill={COLOURS[code].side} />
              <use
                href={`#continent-${code}`}
                fill={COLOURS[code].top}
                stroke="#fff8e2"
                strokeWidth="1.6"
                strokeLinejoin="round"
              />
            </g>
          ))}
        </>
      ) : null}
      <g transform="translate(128 470) scale(1.35)">
        <Compass x={0} y={0} />
      </g>
      <Boat />
    </svg>
  )
}

function Boat() {
  return (
    <>
      <path
        d="M556 462C580 438 606 426 640 424"
        fill="none"
        stroke="#fff"
        strokeWidth="3.5"
        strokeDasharray="2 11"
        strokeLinecap="round"
        opacity=".9"
      />
      <g transform="translate(536 486)" stroke="#3a1d07" strokeWidth="3" strokeLinejoin="round">
        <ellipse cy="13" rx="32" ry="5" fill="#fff" opacity=".5" stroke="none" />
        <path d="M-2-40V4" strokeWidth="4" strokeLinecap="round" />
        <path d="M2-40C22-34 28-18 24-4H2Z" fill="#fffdf6" />
        <path d="M-5-32C-18-24-22-14-20-4H-5Z" fill="#fff3d9" />
        <circle cx="13" cy="-16" r="5" fill="#cf3f30" stroke="none" />
        <path d="M-28 0H30C28 12 20 16 12 16H-12C-22 16-27 10-28 0Z" fill="#a5662f" strokeWidth="3.5" />
        <path d="M-24 6H26" stroke="#e2b274" />
      </g>
    </>
  )
}
