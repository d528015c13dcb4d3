const flags = import.meta.glob<string>('./*.webp', { query: '?url', import: 'default', eager: true })

/** Where the flag of a country lies, 96 × 72; undefined for a code without one. Decoration: the name stands beside it. */
export function flagUrl(countryCode: string): string | undefined {
  return flags[`./${countryCode.toLowerCase()}.webp`]
}
