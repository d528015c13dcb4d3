import type { ContinentCode } from '#game/continents.ts'
import bison from './bison.webp'
import elephant from './elephant.webp'
import fox from './fox.webp'
import kangaroo from './kangaroo.webp'
import llama from './llama.webp'
import panda from './panda.webp'
import penguin from './penguin.webp'

/** The animal that stands for each continent on signposts, chips and cards, 128 × 128; decoration beside its name. */
export const animals: Readonly<Record<ContinentCode, string>> = {
  NA: bison,
  SA: llama,
  EU: fox,
  AS: panda,
  AF: elephant,
  OC: kangaroo,
  AN: penguin,
}
