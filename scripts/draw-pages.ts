import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type PluginOption } from 'vite'

const OUT = resolve(import.meta.dirname, '../.build/drawing')

export type DrawPage = (path: string) => Promise<string>

/** Builds the app once more, to be run here, with the names that its styles and pictures have in the browser. */
export async function buildDrawing(web: string, plugins: PluginOption[]): Promise<DrawPage> {
  await build({
    root: web,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins,
    build: {
      ssr: join(web, 'boot/draw-page.tsx'),
      outDir: OUT,
      emptyOutDir: true,
      target: 'node24',
      assetsInlineLimit: 0,
      rolldownOptions: { output: { entryFileNames: '[name].mjs' } },
    },
  })
  // A build that watches draws anew each time.
  const entry = `${pathToFileURL(join(OUT, 'draw-page.mjs')).href}?${Date.now()}`
  const { drawPage } = (await import(entry)) as { drawPage: DrawPage }
  return drawPage
}

export type Drawn = { html: string; rules: string[] }

/**
 * Fits what React drew into a page: head and preloads have what belongs there already, and a style in an attribute,
 * which the policy forbids, becomes a rule that an attribute names.
 */
export function fitDrawing(drawn: string): Drawn {
  const rules = new Map<string, string>()
  const html = drawn
    .replaceAll(/<link rel="preload"[^>]*>/g, '')
    .replaceAll(/<title>[^<]*<\/title>/g, '')
    .replaceAll(/ style="([^"]*)"/g, (_, style: string) => {
      const plain = style.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&')
      const name = createHash('sha256').update(plain).digest('base64url').slice(0, 6)
      rules.set(name, `[data-drawn="${name}"]{${plain}}`)
      return ` data-drawn="${name}"`
    })
  if (/<script|<style| style=|\son\w+=/.test(html))
    throw new Error('A drawn page holds what the policy forbids.')
  return { html, rules: [...rules.values()] }
}
