import { join, relative } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { pageHeads } from '../web/page-heads.ts'
import { MOBILE_MAX_PX } from '../web/paths.ts'

type Chunk = Rolldown.OutputChunk & { viteMetadata?: { importedCss: Set<string> } }

/**
 * Writes an HTML of its own for each page: its title and description, and all the code and styles that it needs, so
 * that they are fetched at once and not one after the other. Search engines get a robots.txt.
 */
export function pageFiles(web: string): Plugin {
  return {
    name: 'page-files',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const start = bundle['index.html']
        if (start?.type !== 'asset') throw new Error('There is no index.html to make the pages of.')
        const html = String(start.source)
        const chunks = Object.values(bundle).filter((file): file is Chunk => file.type === 'chunk')
        const chunkOf = (module: string) => {
          const found = chunks.find(({ facadeModuleId, moduleIds }) =>
            [facadeModuleId, ...moduleIds].some((id) => id && relative(web, id) === module),
          )
          if (!found) throw new Error(`No chunk holds ${module}.`)
          return found
        }
        const needs = (modules: string[]) => {
          const seen = new Set<Chunk>()
          const add = (chunk: Chunk): void => {
            if (seen.has(chunk)) return
            seen.add(chunk)
            for (const file of chunk.imports) add(chunks.find((each) => each.fileName === file)!)
          }
          for (const module of modules) add(chunkOf(module))
          return [...seen]
        }
        const links = (modules: string[]) => {
          const needed = needs(modules)
          const styles = new Set(needed.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]))
          return [
            ...[...styles].map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
            ...needed.map(({ fileName }) => `<link rel="modulepreload" crossorigin href="/${fileName}">`),
          ].filter((link) => !html.includes(link.match(/href="[^"]+"/)![0]))
        }
        const assets = Object.values(bundle).filter((file) => file.type === 'asset')
        const picture = (file: string, more = '') => {
          const found = assets.find(({ originalFileNames }) => originalFileNames.includes(file))
          if (!found) throw new Error(`No asset was made of ${file}.`)
          return `<link rel="preload" as="image" href="/${found.fileName}" fetchpriority="high"${more}>`
        }
        start.source = withLinks(html, [
          ...links(['pages/hero/hero-page.tsx']),
          picture('art/logo.svg'),
          // Only small windows show it.
          picture('art/step-1.webp', ` media="(max-width: ${MOBILE_MAX_PX}px)"`),
        ])
        for (const { path, module, title, description } of pageHeads) {
          const page = withLinks(html, links(['shell/inside.tsx', module]))
            .replace(/<title>[^<]*/, `<title>${escaped(title)}`)
            .replace(/(<meta\s+name="description"\s+content=")[^"]*/, `$1${escaped(description)}`)
          this.emitFile({ type: 'asset', fileName: fileOf(path), source: page })
        }
        this.emitFile({
          type: 'asset',
          fileName: 'robots.txt',
          source: 'User-agent: *\nAllow: /\nDisallow: /api/\n',
        })
      },
    },
  }
}

/** Where the server finds the HTML of an address: `/parcels/*` is `pages/parcels/_.html`. */
const fileOf = (path: string): string => join('pages', `${path.slice(1).replace('*', '_')}.html`)

const withLinks = (html: string, links: string[]): string =>
  html.replace('</head>', `${links.join('')}</head>`)

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
