/** The seven continents in the order in which the game always lists them (S-55). A region id is such a code. */
export const CONTINENTS = ['NA', 'SA', 'EU', 'AS', 'AF', 'OC', 'AN'] as const

export type ContinentCode = (typeof CONTINENTS)[number]

export const CONTINENT_NAMES: Readonly<Record<ContinentCode, string>> = {
  NA: 'North America',
  SA: 'South America',
  EU: 'Europe',
  AS: 'Asia',
  AF: 'Africa',
  OC: 'Oceania',
  AN: 'Antarctica',
}

/** Whether a word from a path, a topic or a config file is one of the seven codes. It is case-sensitive. */
export function isContinentCode(word: string): word is ContinentCode {
  return (CONTINENTS as readonly string[]).includes(word)
}
