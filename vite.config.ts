import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { WORKER_TYPES } from './game/workers.ts'
import { buildPrerender } from './scripts/prerender-pages.ts'
import { skipIncludedSheets } from './scripts/included-sheets.ts'
import { pageFiles } from './scripts/page-files.ts'
import { inlineHeadScript, inlineLandscape } from './scripts/inline-landscape.ts'

const WEB = join(import.meta.dirname, 'web')
const OUT = join(import.meta.dirname, '.build/web')

/**
 * Built for production, the contract is routes without schemas: the server checks what travels, and a validation
 * library would double what the first page loads.
 */
function routesWithoutSchemas(): Plugin {
  const nothing = 'const z = new Proxy(function () {}, { get: () => z, apply: () => z })'
  return {
    name: 'routes-without-schemas',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('/contract/')) return null
      return code.replace(/import \* as z from 'zod\/mini'\n/, `${nothing}\n`)
    },
  }
}

/** The two fonts are needed by the first paint, yet only the style sheet names them. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => file.endsWith('.woff2'))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true },
            injectTo: 'head' as const,
          })),
    },
  }
}

/** Writes `.br` and `.gz` beside every text file, so that the server never compresses one itself. */
function compressed(): Plugin {
  const brotli = promisify(brotliCompress)
  const gz = promisify(gzip)
  return {
    name: 'compressed',
    apply: 'build',
    async closeBundle() {
      const files = await readdir(OUT, { recursive: true })
      const texts = files.filter((file) => /\.(js|css|html|svg|json|txt|webmanifest)$/.test(file))
      await Promise.all(
        texts.map(async (file) => {
          const path = join(OUT, file)
          const bytes = await readFile(path)
          await Promise.all([
            brotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).then((out) =>
              writeFile(`${path}.br`, out),
            ),
            gz(bytes, { level: 9 }).then((out) => writeFile(`${path}.gz`, out)),
          ])
        }),
      )
    },
  }
}

/** The pictures that the API names are found under their names in development; built, they get the same addresses. */
function workerPictures(): Plugin {
  return {
    name: 'worker-pictures',
    apply: 'build',
    async generateBundle() {
      for (const type of WORKER_TYPES) {
        const fileName = `art/${type}.svg`
        this.emitFile({ type: 'asset', fileName, source: await readFile(join(WEB, fileName)) })
      }
    },
  }
}

/** In development `/api/` is the server's; the modules of the folder of that name are asked for by their full path. */
function modulesBesideTheApi(): Plugin {
  return {
    name: 'modules-beside-the-api',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (/^\/api\/[\w-]+\.tsx?(\?|$)/.test(request.url ?? '')) request.url = `/@fs${WEB}${request.url}`
        next()
      })
    },
  }
}

/**
 * What several pages share comes in a few chunks of some size, not in one for each icon: a request costs more than the
 * bytes that a page would save. The first page of all is spared: what it needs is one chunk, with nothing else in it.
 */
const CHUNKS = [
  { name: chunkOf, debugName: 'start and inside', includeDependenciesRecursively: false, priority: 2 },
  { name: 'part', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 3_000, priority: 1 },
]

const START = ['boot/start.tsx', 'pages/hero/hero-page.tsx'].map((file) => join(WEB, file))
const INSIDE = ['shell/app-layout.tsx', 'shell/page-header.tsx'].map((file) => join(WEB, file))

function chunkOf(id: string, graph: Rolldown.ChunkingContext): string | null {
  // Stands alone, with what it is made of.
  if (/\/web\/(boot\/(head-script|replay-early-clicks|watch-load-failure)|shell\/time-of-day)\.ts$/.test(id))
    return null
  // It waits for the first paint, and so must hold nothing of the app.
  if (/\/web\/(boot\/main\.ts|css\/\w+\.css)$|preload-helper/.test(id)) return 'main'
  // A page itself stays a chunk of its own, to be left out where another page is opened first.
  if (id === START[1]) return null
  const isNeededBy = (entries: readonly string[], module = id, seen = new Set<string>()): boolean => {
    if (entries.includes(module)) return true
    if (seen.has(module)) return false
    seen.add(module)
    return (graph.getModuleInfo(module)?.importers ?? []).some((each) => isNeededBy(entries, each, seen))
  }
  if (isNeededBy(START)) return 'start'
  return isNeededBy(INSIDE) ? 'inside' : null
}

export default defineConfig({
  root: WEB,
  publicDir: false,
  plugins: [
    modulesBesideTheApi(),
    inlineLandscape(WEB),
    routesWithoutSchemas(),
    react(),
    inlineHeadScript(),
    preloadFonts(),
    skipIncludedSheets(),
    pageFiles(WEB, () => buildPrerender(WEB, [routesWithoutSchemas(), react()])),
    workerPictures(),
    compressed(),
  ],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2023',
    // The content policy allows neither inline scripts nor scripts from data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    rolldownOptions: {
      // What `light.ts` shares with others are names: it stands alone.
      optimization: { inlineConst: { mode: 'all' } },
      input: { index: join(WEB, 'index.html'), 'head-script': join(WEB, 'boot/head-script.ts') },
      output: { codeSplitting: { groups: CHUNKS } },
    },
  },
})
