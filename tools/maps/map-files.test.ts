import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LAND_TABLE } from '#game/land-table.ts'

test('the generated land and maps are up to date', () => {
  const script = join(import.meta.dirname, 'build-maps.mjs')
  const built = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  expect(built.stderr).toBe('')
  expect(built.status).toBe(0)
}, 120_000)

test('every name has the accents that CLDR gives it (S-54)', () => {
  const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '')
  const known = new Intl.DisplayNames('en', { type: 'region' })
  const wrong = LAND_TABLE.flatMap(([code, , name]) => {
    const right = new Map((known.of(code) ?? '').split(' ').map((word) => [plain(word), word]))
    return name.split(' ').filter((word) => (right.get(plain(word)) ?? word) !== word)
  })
  expect(wrong).toEqual([])
  const names = new Map(LAND_TABLE.map(([code, , name]) => [code, name]))
  expect(['AX', 'CI', 'CW', 'RE', 'ST', 'BL'].map((code) => names.get(code))).toEqual([
    'Åland Islands',
    'Côte d’Ivoire',
    'Curaçao',
    'Réunion',
    'São Tomé and Príncipe',
    'Saint Barthélemy',
  ])
})
