import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ROUTES } from './routes.ts'

test('every declared route is in the table from which OpenAPI and the authorization tests are generated', async () => {
  const files = readdirSync(import.meta.dirname).filter((file) => /^[a-z-]+\.ts$/.test(file))
  const modules = await Promise.all(
    files.map((file): Promise<Record<string, unknown>> => import(/* @vite-ignore */ `./${file}`)),
  )
  const declared = modules.flatMap(Object.values).filter(isRoute)
  expect(declared.length).toBeGreaterThan(30)
  const table: unknown[] = Object.values(ROUTES)
  expect(declared.filter((route) => !table.includes(route))).toEqual([])
})

const isRoute = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value
