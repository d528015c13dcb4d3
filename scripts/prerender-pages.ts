import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type PluginOption } from 'vite'

const OUT = resolve(import.meta.dirname, '../.build/prerender')

export type PrerenderPage = (path: string) => Promise<string>

/** Builds the app for Node, with the same class names and image addresses as in the browser, and loads it. */
export async function buildPrerender(web: string, plugins: PluginOption[]): Promise<PrerenderPage> {
  await build({
    root: web,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins,
    build: {
      ssr: join(web, 'boot/prerender-page.tsx'),
      outDir: OUT,
      emptyOutDir: true,
      target: 'node24',
      assetsInlineLimit: 0,
      rolldownOptions: { output: { entryFileNames: '[name].mjs' } },
    },
  })
  // The query bypasses Node's module cache in watch mode.
  const entry = `${pathToFileURL(join(OUT, 'prerender-page.mjs')).href}?${Date.now()}`
  const { prerenderPage } = (await import(entry)) as { prerenderPage: PrerenderPage }
  return prerenderPage
}

export type PrerenderedPage = {
  html: string
  rules: string[]
  /** The title that the app sets on this page. */
  title: string | undefined
  /** The first paragraph below the heading. */
  subtitle: string | undefined
}

/**
 * Adapts React's output to the page: removes titles and preloads, which the head already contains, and replaces style
 * attributes, which the content policy forbids, by a data attribute and a CSS rule.
 */
export function fitPrerenderedPage(prerendered: string): PrerenderedPage {
  const rules = new Map<string, string>()
  const html = prerendered
    .replaceAll(/<link rel="preload"[^>]*>/g, '')
    .replaceAll(/<title>[^<]*<\/title>/g, '')
    .replaceAll(/ style="([^"]*)"/g, (_, style: string) => {
      const plain = unescapeHtml(style)
      const name = createHash('sha256').update(plain).digest('base64url').slice(0, 6)
      rules.set(name, `[data-prerendered="${name}"]{${plain}}`)
      return ` data-prerendered="${name}"`
    })
  if (/<script|<style| style=|\son\w+=/.test(html))
    throw new Error('A prerendered page contains a script, style or handler that the content policy forbids.')
  const title = /<title>([^<]*)/.exec(prerendered)?.[1]
  const subtitle = /<\/h1><p[^>]*>([^<]*)/.exec(prerendered)?.[1]
  return {
    html,
    rules: [...rules.values()],
    title: title && unescapeHtml(title),
    subtitle: subtitle && unescapeHtml(subtitle),
  }
}

/** Reverts what React escapes. */
const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
