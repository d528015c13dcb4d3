import { expect, test } from 'vitest'
import { readSheet } from '#tests/support/read-sheet.ts'

const TOKEN = /--([\w-]+): (?:light-dark\()?(#\w+)(?:, (#\w+)\))?;/g

/** The colours of the console by name: in the light theme and in the dark one. */
const colours = new Map(
  [...readSheet('console/console-tokens.css').matchAll(TOKEN)].map(
    ([, name, light, dark]) => [name!, [light!, dark ?? light!]] as const,
  ),
)

/** The relative luminance of a colour, as WCAG defines it. */
function luminance(hex: string): number {
  const digits = hex.length === 4 ? hex.replaceAll(/\w/g, '$&$&') : hex
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** Which text stands on what. */
const TEXTS: readonly (readonly [text: string, ground: string])[] = [
  ...['text', 'text-soft', 'link', 'bad'].flatMap((text) =>
    ['ground', 'surface', 'surface-raised', 'surface-hover'].map((ground) => [text, ground] as const),
  ),
  ...['good', 'warn', 'bad', 'plain', 'note'].map((state) => [state, `${state}-ground`] as const),
  ...['accent-face', 'accent-face-hover', 'danger-face', 'danger-face-hover'].map(
    (face) => ['on-face', face] as const,
  ),
]

test.each(TEXTS)('%s on %s can be read in both themes', (text, ground) => {
  const [letters, below] = [colours.get(text)!, colours.get(ground)!]
  expect(contrast(letters[0], below[0])).toBeGreaterThanOrEqual(4.5)
  expect(contrast(letters[1], below[1])).toBeGreaterThanOrEqual(4.5)
})
