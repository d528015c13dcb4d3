import {
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { killServer, makeDataDir, type RunningServer, runServer } from '#tests/support/run-server.ts'

const ROOT = resolve(import.meta.dirname, '../..')

mkdirSync(join(ROOT, '.build'), { recursive: true })
const image = mkdtempSync(join(ROOT, '.build', 'image-'))
const data = makeDataDir()
let database: FreshDatabase | undefined
let server: RunningServer | undefined

afterAll(async () => {
  await killServer(server)
  await database?.drop()
  rmSync(image, { recursive: true })
  data.remove()
})

/** The sources of the COPY lines of the last stage: those from the checkout, in their places. */
function copiedSources(): string[] {
  const containerfile = readFileSync(join(ROOT, 'deploy/container/Containerfile'), 'utf8')
  const lastStage = containerfile.split(/^FROM /m).at(-1) ?? ''
  return [...lastStage.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
    sources.split(' '),
  )
}

/** The folders of packages that `npm prune --omit=dev` removes. */
function listDevPackages(): Set<string> {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>
  }
  return new Set(Object.entries(lock.packages).flatMap(([path, { dev }]) => (dev ? [join(ROOT, path)] : [])))
}

type Without = ReadonlySet<string>

/** A copy of a folder whose files are hard links. The roles may read files of their own checkout only. */
function linkFiles(from: string, to: string, without: Without): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (without.has(source)) continue
    if (entry.isDirectory()) linkFiles(source, target, without)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else linkSync(source, target)
  }
}

test('the files and packages that the image contains are all that the game needs', async () => {
  const sources = copiedSources()
  expect(sources).toContain('server')
  for (const source of sources) cpSync(join(ROOT, source), join(image, source), { recursive: true })
  linkFiles(join(ROOT, 'node_modules'), join(image, 'node_modules'), listDevPackages())
  database = await freshDatabase()
  server = runServer({
    dataDir: data.dataDir,
    env: database.environment,
    command: [process.execPath, join(image, 'server/main.ts'), 'all'],
  })
  const url = await server.ready
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  server.pressCtrlC()
  expect(await server.ended).toBe(0)
})
