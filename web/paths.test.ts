import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LAND_PARAMETER, PAGE_PARAMETER } from './paths.ts'

const isHydrated = (query: string): boolean => !PAGE_PARAMETER.test(query)

test('a page is hydrated at an address with parameters that no page reads', () => {
  expect(['', '?', '?utm_source=x&utm_medium=y', '?fbclid=tab', '?ref=land'].filter(isHydrated)).toHaveLength(
    5,
  )
})

test('a page is not hydrated at an address with a parameter that a page reads', () => {
  const files = readdirSync(join(import.meta.dirname, 'pages'), { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  const texts = sources
    .map((file) => readFileSync(join(import.meta.dirname, 'pages', file), 'utf8'))
    .join('\n')
  const reads = [...texts.matchAll(/\b(?:search|address)\.get\((?:'(\w+)'|LAND_PARAMETER)\)/g)]
  const names = new Set(reads.map(([, name = LAND_PARAMETER]) => name))
  expect(names.size).toBeGreaterThan(7)
  expect(
    [...names].filter((name) => isHydrated(`?${name}=x`) || isHydrated(`?utm_source=x&${name}=x`)),
  ).toEqual([])
})
