import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const WEB = join(import.meta.dirname, '..')

// The operators' console follows the system only.
const sheets = globSync('**/*.css', { cwd: WEB }).filter((sheet) => !sheet.startsWith('console'))

test('an animation that stops for the system’s reduced motion stops for the game’s own setting, too', () => {
  const stopped = sheets.flatMap((sheet) => {
    const css = readFileSync(join(WEB, sheet), 'utf8')
    const reduced = css.split('@media (prefers-reduced-motion: reduce)')[1] ?? ''
    const isChosen = (name?: string) => new RegExp(`data-motion='reduced'\\]\\)? \\${name} \\{`).test(css)
    return [...reduced.matchAll(/(\.[\w-]+) \{\s*animation(?:-name)?: none/g)].map(([, name]) => ({
      name: `${sheet} ${name}`,
      isChosen: isChosen(name),
    }))
  })
  expect(stopped).not.toEqual([])
  expect(stopped.filter(({ isChosen }) => !isChosen)).toEqual([])
})
