import type { WorkerType } from '#game/workers.ts'
import bed0 from './bed-0.svg'
import bed1 from './bed-1.svg'
import bed2 from './bed-2.svg'
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

export const figures: Readonly<Record<WorkerType, string>> = { kid, grandma, grandad, bigman }

export const faces: Readonly<Record<WorkerType, string>> = {
  kid: kidFace,
  grandma: grandmaFace,
  grandad: grandadFace,
  bigman: bigmanFace,
}

export const portraits: Readonly<Record<WorkerType, string>> = {
  kid: portraitKid,
  grandma: portraitGrandma,
  grandad: portraitGrandad,
  bigman: portraitBigman,
}

/** A field with nothing to pick, with some cotton, and ripe. */
export const beds = [bed0, bed1, bed2] as const
