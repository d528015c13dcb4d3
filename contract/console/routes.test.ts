import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CONSOLE_ROUTES } from './routes.ts'

test('every declared route of the console is in the table from which the access tests are generated', async () => {
  const files = readdirSync(import.meta.dirname).filter((file) => /^[a-z-]+\.ts$/.test(file))
  const modules = await Promise.all(
    files.map((file): Promise<Record<string, unknown>> => import(/* @vite-ignore */ `./${file}`)),
  )
  const declared = modules.flatMap(Object.values).filter(isRoute)
  expect(declared.length).toBeGreaterThan(25)
  const table: unknown[] = Object.values(CONSOLE_ROUTES)
  expect(declared.filter((route) => !table.includes(route))).toEqual([])
})

test('each route of the console has a path of its own, and none is a path of the game', () => {
  const paths = Object.values(CONSOLE_ROUTES).map(({ method, path }) => `${method} ${path}`)
  expect(new Set(paths).size).toBe(paths.length)
  expect(paths.filter((path) => !path.includes(' /api/console/'))).toEqual([])
})

const isRoute = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value
