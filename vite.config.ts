import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { WORKER_TYPES } from './game/workers.ts'
import { compressFiles, removeSchemas } from './scripts/build-plugins.ts'
import { buildPrerender } from './scripts/prerender-pages.ts'
import { skipIncludedSheets } from './scripts/included-sheets.ts'
import { pageFiles } from './scripts/page-files.ts'
import { shareFiles } from './scripts/share-files.ts'
import { inlineHeadScript, inlineLandscape } from './scripts/inline-landscape.ts'

const WEB = join(import.meta.dirname, 'web')
const OUT = join(import.meta.dirname, '.build/next/web')

/** Preloads the two fonts. The first paint needs them, but only the style sheet refers to them. */
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

/** Gives the images that the API refers to the same unhashed addresses as in development. */
function emitWorkerImages(): Plugin {
  return {
    name: 'emit-worker-images',
    apply: 'build',
    async generateBundle() {
      for (const type of WORKER_TYPES) {
        const fileName = `art/${type}.svg`
        this.emitFile({ type: 'asset', fileName, source: await readFile(join(WEB, fileName)) })
      }
    },
  }
}

/** In development `/api/` is proxied to the server, so the modules of `web/api` are served by their full path. */
function serveApiModules(): Plugin {
  return {
    name: 'serve-api-modules',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (/^\/api\/[\w-]+\.tsx?(\?|$)/.test(request.url ?? '')) request.url = `/@fs${WEB}${request.url}`
        next()
      })
    },
  }
}

/**
 * Code that several pages share is merged into a few chunks, because a request costs more than the bytes that a page
 * would save. Everything that the hero needs is one chunk with nothing else in it.
 */
const CHUNKS = [
  { name: chunkOf, debugName: 'start and layout', includeDependenciesRecursively: false, priority: 2 },
  { name: 'part', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 3_000, priority: 1 },
]

const START = ['boot/start.tsx', 'pages/hero/hero-page.tsx'].map((file) => join(WEB, file))
/** What every page but the hero needs, and what nearly every one needs and is too small for a chunk of its own. */
const LAYOUT = [
  'shell/app-layout.tsx',
  'shell/page-header.tsx',
  'ui/press-once.ts',
  'ui/retry-button.tsx',
  'ui/transient-button.tsx',
].map((file) => join(WEB, file))

function chunkOf(id: string, graph: Rolldown.ChunkingContext): string | null {
  // The head script is self-contained.
  if (/\/web\/(boot\/(head-script|replay-early-clicks|watch-load-failure)|shell\/time-of-day)\.ts$/.test(id))
    return null
  // This chunk loads before the first paint, so it contains nothing of the app.
  if (/\/web\/(boot\/main\.ts|css\/\w+\.css)$|preload-helper/.test(id)) return 'main'
  // The hero is a chunk of its own, which visits that start on another page do not load.
  if (id === START[1]) return null
  const isNeededBy = (entries: readonly string[], module = id, seen = new Set<string>()): boolean => {
    if (entries.includes(module)) return true
    if (seen.has(module)) return false
    seen.add(module)
    return (graph.getModuleInfo(module)?.importers ?? []).some((each) => isNeededBy(entries, each, seen))
  }
  if (isNeededBy(START)) return 'start'
  // Loaded when a visitor logs in, and not with the test wallet, which shares its reader of transactions.
  if (
    /\/web\/(wallet\/(log-in|sign-text|send-transaction|wallet-problem)|messages\/en-wallets)\.ts$/.test(id)
  )
    return 'signing'
  return isNeededBy(LAYOUT) ? 'layout' : null
}

export default defineConfig({
  root: WEB,
  publicDir: false,
  plugins: [
    serveApiModules(),
    inlineLandscape(WEB),
    removeSchemas(),
    react(),
    inlineHeadScript(),
    preloadFonts(),
    shareFiles(WEB),
    skipIncludedSheets(),
    pageFiles(WEB, () => buildPrerender(WEB, [removeSchemas(), react()])),
    emitWorkerImages(),
    compressFiles(OUT),
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
      // On a slow machine a player's first start would print which plugins took long.
      checks: { bundlerTimings: false },
      // Inlines the constants that `head-script.ts` shares with the app, so that it imports nothing.
      optimization: { inlineConst: { mode: 'all' } },
      input: { index: join(WEB, 'index.html'), 'head-script': join(WEB, 'boot/head-script.ts') },
      output: { codeSplitting: { groups: CHUNKS } },
    },
  },
})
