import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressFiles, removeSchemas } from './scripts/build-plugins.ts'

const OUT = join(import.meta.dirname, '.build/next/console')

/** The operators' console: its own folder, which only the role `console` serves. The game's pages load nothing of it. */
export default defineConfig({
  root: join(import.meta.dirname, 'web/console'),
  publicDir: false,
  // The dialogs of the game know its sounds. The console has none, and its build no files of them.
  resolve: { alias: { '#web/audio/sound.ts': join(import.meta.dirname, 'web/console/no-sound.ts') } },
  plugins: [removeSchemas(), react(), compressFiles(OUT)],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2023',
    // The browsers that have light-dark().
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The content policy allows neither inline scripts nor scripts from data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
})
