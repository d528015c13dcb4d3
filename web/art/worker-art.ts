import type { WorkerType } from '#game/workers.ts'
import bigmanFace from './bigman-face.webp'
import bigman from './bigman.svg'
import grandadFace from './grandad-face.webp'
import grandad from './grandad.svg'
import grandmaFace from './grandma-face.webp'
import grandma from './grandma.svg'
import kidFace from './kid-face.webp'
import kid from './kid.svg'
import portraitBigman from './portrait-bigman.svg'
import portraitGrandad from './portrait-grandad.svg'
import portraitGrandma from './portrait-grandma.svg'
import portraitKid from './portrait-kid.svg'

type WorkerArt = {
  figure: string
  face: string
  /** The landscape behind the figure on its card. */
  portrait: string
  /** The tone of the ribbon with the type's name. */
  tone: 'default' | 'info' | 'neutral' | 'attention'
  /** The height of the figure relative to its window on the card. Above 1 it overlaps the frame. */
  cardHeight: number
  /** The height of the figure in its field on the farm. */
  fieldHeightPx: number
}

/** How each worker type looks. A new type is a row here and in `game/workers.ts`. */
export const workerArt: Readonly<Record<WorkerType, WorkerArt>> = {
  kid: {
    figure: kid,
    face: kidFace,
    portrait: portraitKid,
    tone: 'info',
    cardHeight: 0.98,
    fieldHeightPx: 176,
  },
  grandma: {
    figure: grandma,
    face: grandmaFace,
    portrait: portraitGrandma,
    tone: 'neutral',
    cardHeight: 0.96,
    fieldHeightPx: 200,
  },
  grandad: {
    figure: grandad,
    face: grandadFace,
    portrait: portraitGrandad,
    tone: 'default',
    cardHeight: 1,
    fieldHeightPx: 214,
  },
  bigman: {
    figure: bigman,
    face: bigmanFace,
    portrait: portraitBigman,
    tone: 'attention',
    cardHeight: 1.08,
    fieldHeightPx: 226,
  },
}
