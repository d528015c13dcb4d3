import type { SVGProps } from 'react'

/** The height of the scene down to the foot of the beds. What is below is grass. */
export const SCENE = { width: 1200, height: 390 } as const

const POSTS = Array.from({ length: 20 }, (_, at) => -10 + at * 62)
const LAMPS = [296, 596, 896]
const STARS = '60,40 150,96 236,30 342,70 424,22 505,104 640,48 700,92 788,26 872,78 1010,40 1092,98 1160,52'
const TUFTS =
  '186,361 427,337 105,378 552,379 375,373 309,365 436,363 655,385 778,388 846,375 409,357 1147,371 72,367 959,341 14,360'
const FLOWERS = [
  ['#ffd84a', '18,343 130,333'],
  ['#ff9db0', '522,377 715,356'],
  ['#fff', '827,366 1123,371 885,339'],
] as const
/** Where the trees stand, and how large they are. */
const TREES = [
  [90, 262, 1],
  [128, 266, 0.8],
  [520, 262, 0.75],
  [556, 262, 0.95],
  [1110, 254, 1],
  [1150, 260, 0.8],
] as const

const points = (list: string): number[][] => list.split(' ').map((each) => each.split(',').map(Number))

// A browser lays out every shape in each of the five copies of the scene, so equal shapes are one path.

/** Points as a path: with round caps, a dot as wide as the stroke. */
const dots = (list: string): string =>
  points(list)
    .map(([x, y]) => `M${x} ${y}h0`)
    .join('')

/** The same shape on every lamp, by relative commands from its foot. */
const lamps = (path: string): string => LAMPS.map((x) => `M${x} 322${path}`).join('')

/** The shape of a tree at each place, from relative commands and numbers for a tree of size one. */
function trees(from: readonly [number, number], path: string): string {
  return TREES.map(([x, y, size]) => {
    const sized = path.replaceAll(/-?[\d.]+/g, (number) => `${round(Number(number) * size)} `)
    return `M${round(x + from[0] * size)} ${round(y + from[1] * size)}${sized}`
  }).join('')
}

const round = (value: number): number => Math.round(value * 100) / 100

/** A part of the scene, cut to its box from the bottom up. Needs one `FarmSceneSymbol` on the page. */
export function FarmScene({ viewBox, className }: Pick<SVGProps<SVGSVGElement>, 'viewBox' | 'className'>) {
  return (
    <svg viewBox={viewBox} preserveAspectRatio="xMidYMax slice" className={className} aria-hidden="true">
      <use href="#farm-scene" width={SCENE.width} height={SCENE.height} />
    </svg>
  )
}

/** The scene behind the fields. Its colours follow the time of day, like the landscape's (`--ls-*` in web/css/tokens.css). */
export function FarmSceneSymbol() {
  return (
    <svg width="0" height="0" style={{ position: 'absolute' }} aria-hidden="true">
      <Gradients />
      <symbol id="farm-scene" viewBox={`0 0 ${SCENE.width} ${SCENE.height}`}>
        <rect width="1200" height="390" fill="url(#farm-sky)" />
        <path
          d={dots(STARS)}
          stroke="#fff"
          strokeWidth="4"
          strokeLinecap="round"
          style={{ opacity: 'var(--ls-stars, 0)' }}
        />
        <circle cx="960" cy="-30" r="380" fill="url(#farm-glow)" opacity=".55" />
        <path
          d="M0 240C120 160 260 170 380 216S620 190 760 200 1000 150 1200 220V390H0Z"
          fill="url(#farm-hill1)"
        />
        <path
          d="M0 268C160 214 320 230 470 254S760 236 900 232 1100 236 1200 262V390H0Z"
          fill="url(#farm-hill2)"
        />
        <Trees />
        <Barn />
        <path d="M0 296C200 276 400 286 600 292S1000 276 1200 292V390H0Z" fill="url(#farm-hill3)" />
        <Fence />
        <path
          d={points(TUFTS)
            .map(([x, y]) => `M${x} ${y}l-5-9M${x} ${y}v-12M${x} ${y}l5-9`)
            .join('')}
          stroke="var(--ls-hedge, #4f9a2d)"
          strokeWidth="3"
          strokeLinecap="round"
          fill="none"
        />
        <g strokeWidth="8" strokeLinecap="round" style={{ filter: 'var(--farm-dim)' }}>
          {FLOWERS.map(([colour, places]) => (
            <path key={colour} d={dots(places)} stroke={colour} />
          ))}
        </g>
        <Lamps />
      </symbol>
    </svg>
  )
}

const LINEAR = [
  ['farm-hill1', 'var(--ls-hill1a, #a7dba0)', 'var(--ls-hill1b, #cbe9ac)'],
  ['farm-hill2', 'var(--ls-hill2a, #8fce63)', 'var(--ls-hill2b, #b2de7c)'],
  ['farm-hill3', 'var(--ls-hill3a, #83ca4f)', 'var(--ls-hill3b, #6ab53d)'],
] as const

function Gradients() {
  return (
    <defs>
      <linearGradient id="farm-sky" x2="0" y2="1">
        <stop stopColor="var(--ls-sky1, #63c1f2)" />
        <stop offset=".5" stopColor="var(--ls-sky2, #b5e6fa)" />
        <stop offset=".75" stopColor="var(--ls-sky3, #fdf3d3)" />
      </linearGradient>
      {LINEAR.map(([id, top, bottom]) => (
        <linearGradient key={id} id={id} x2="0" y2="1">
          <stop stopColor={top} />
          <stop offset="1" stopColor={bottom} />
        </linearGradient>
      ))}
      <radialGradient id="farm-glow">
        <stop stopColor="var(--ls-glow, #fffdf0)" stopOpacity=".9" />
        <stop offset="1" stopColor="var(--ls-glow, #fffdf0)" stopOpacity="0" />
      </radialGradient>
      <radialGradient id="farm-lamp">
        <stop stopColor="#ffe9a0" />
        <stop offset=".22" stopColor="#ffd166" stopOpacity=".55" />
        <stop offset="1" stopColor="#ffb347" stopOpacity="0" />
      </radialGradient>
    </defs>
  )
}

function Trees() {
  return (
    <>
      <path d={trees([-5, -16], 'h10v20h-10z')} fill="#7a4d2a" />
      <path
        d={trees([-28, -20], 'c-4-16 8-26 14-26 2-16 28-16 30 0 14 0 18 18 9 27-9 9-45 10-53-1z')}
        fill="var(--ls-tree, #4f9f3c)"
      />
      <path
        d={trees([-18, -30], 'c4-9 12-11 17-8')}
        stroke="var(--ls-treeHi, #86cb5d)"
        strokeWidth="4.5"
        fill="none"
        strokeLinecap="round"
      />
    </>
  )
}

/** Barn and silo. At night there is light in the window. */
function Barn() {
  return (
    <g transform="translate(810 266) scale(.78)">
      <g style={{ filter: 'var(--farm-dim)' }}>
        <path d="M92 6V-96c0-30 50-30 50 0V6Z" fill="#d9dde6" />
        <path d="M122 6V-117c12 3 20 11 20 21V6Z" fill="#b3b9c9" />
        <path d="M92-96c0-30 50-30 50 0Z" fill="#8f97ad" />
        <path d="M-90 6V-62L-58-104H30L62-62V6Z" fill="#cf4a36" />
        <path d="M-100-58L-62-110H34L72-58 62-52 28-98H-56L-90-52Z" fill="#8c2c20" />
        <path d="M-56-98H28L62-52V-46H-90V-52Z" fill="#b83c2a" />
        <path d="M-56-98L-90-52M28-98L62-52" stroke="#fff3dc" strokeWidth="5" />
        <path d="M-48-42h68V6h-68Z" fill="#8c2c20" />
        <path
          d="M-48-42h68V6h-68ZM-48-42L20 6M20-42L-48 6M-14-42V6"
          stroke="#fff3dc"
          strokeWidth="5"
          fill="none"
        />
        <rect x="-28" y="-84" width="28" height="24" rx="3" fill="#5b1c13" stroke="#fff3dc" strokeWidth="4" />
      </g>
      <g style={{ opacity: 'var(--farm-lamp, 0)' }}>
        <circle cx="-14" cy="-72" r="44" fill="url(#farm-lamp)" />
        <rect x="-26" y="-82" width="24" height="20" rx="2" fill="#ffdf87" />
        <path d="M-14-82v20M-26-72h24" stroke="#8c2c20" strokeWidth="3" />
      </g>
    </g>
  )
}

function Fence() {
  return (
    <g style={{ filter: 'var(--farm-dim)' }}>
      <path d="M-10 284H1210M-10 302H1210" stroke="#b98a55" strokeWidth="9" />
      <path d="M-10 283H1210M-10 301H1210" stroke="#f6e6c6" strokeWidth="6" />
      <path
        d={POSTS.map((x) => `M${x} 318v-46l9-9 9 9v46Z`).join('')}
        fill="#f3e7cf"
        stroke="#b98a55"
        strokeWidth="1.5"
      />
    </g>
  )
}

function Lamps() {
  return (
    <>
      <g style={{ filter: 'var(--farm-dim)' }} stroke="#3a1d07">
        <path d={lamps('h-3.5v-86h7v86z')} fill="#65380f" strokeWidth="2.5" />
        <path d={lamps('m-15-112l4 26h22l4-26z')} fill="#dcecf2" strokeWidth="3" />
        <path d={lamps('m-19-112l8-12h22l8 12z')} fill="#4d2a0b" strokeWidth="3" strokeLinejoin="round" />
      </g>
      <g style={{ opacity: 'var(--farm-lamp, 0)' }}>
        {LAMPS.map((x) => (
          <circle key={x} cx={x} cy="223" r="92" fill="url(#farm-lamp)" />
        ))}
        <path d={lamps('m-12-110l3 22h18l3-22z')} fill="#fff3bf" />
      </g>
    </>
  )
}
