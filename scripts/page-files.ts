import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin, Rolldown } from 'vite'
import { CONTINENTS } from '#game/continents.ts'
import { pageHeads } from '#web/messages/en-page-heads.ts'
import type { pages } from '#web/pages.ts'
import { MOBILE_MAX_PX } from '#web/window-size.ts'
import { bundleParts, type BundleParts } from './bundle-parts.ts'
import { type PrerenderPage, fitPrerenderedPage } from './prerender-pages.ts'
import { includedLink } from './included-sheets.ts'

type Pages = typeof pages

/** Every page needs these modules before it can start. */
const ENTRY_MODULES = ['boot/start.tsx']
/** Every page except the hero needs these modules. */
const LAYOUT_MODULES = ['shell/app-layout.tsx']
/** Needed until the player has finished the first steps. */
const GUIDE_MODULE = 'shell/guide.tsx'

/**
 * Writes one HTML file for each page, with its prerendered content, title, description, style sheet and links to all of
 * its code; and robots.txt.
 */
export function pageFiles(web: string, loadPrerender: () => Promise<PrerenderPage>): Plugin {
  return {
    name: 'page-files',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const index = bundle['index.html']
        if (index?.type !== 'asset') throw new Error('The build has no index.html to make the pages from.')
        const html = String(index.source)
        const parts = bundleParts(web, bundle)
        const write = pageWriter(this, parts, html)
        const prerender = await loadPrerender()
        const { hero, notFound: _, ...others } = await loadPages(web)

        // Addresses without a page file are rendered in the browser.
        index.source = withLinks(html, [
          ...ownStyles(parts, ENTRY_MODULES).map(sheetLink),
          ...codeLinks(parts, ENTRY_MODULES),
        ])
        write('index', {
          modules: [moduleOf(hero)],
          head: null,
          prerendered: await prerender(hero.path),
          links: heroPreloads(parts),
        })
        for (const [name, page] of entriesOf(others)) {
          const common = {
            head: pageHeads[name],
            modules: [...LAYOUT_MODULES, moduleOf(page)],
            guide: [GUIDE_MODULE],
          }
          const parameter = /:\w+/.exec(page.path)?.[0]
          const addresses = parameter
            ? CONTINENTS.map((code) => page.path.replace(parameter, code))
            : [page.path]
          for (const address of addresses)
            write(address, { ...common, prerendered: await prerender(address) })
          // The server answers with this file where the parameter is anything else.
          if (parameter) write(page.path.replace(parameter, '_'), common)
        }
        const source = 'User-agent: *\nAllow: /\nDisallow: /api/\n'
        this.emitFile({ type: 'asset', fileName: 'robots.txt', source })
      },
    },
  }
}

/** Node imports the table while the build runs: a static import would bundle every page into Vite's configuration. */
async function loadPages(web: string): Promise<Pages> {
  const table = (await import(pathToFileURL(join(web, 'pages.ts')).href)) as { pages: Pages }
  return table.pages
}

const entriesOf = <T extends object>(rows: T) => Object.entries(rows) as [keyof T, T[keyof T]][]

/** The module that a page is loaded from, relative to `web`: its name in the source of its loader. */
function moduleOf({ load }: { load: () => unknown }): string {
  const module = /import\(["']#web\/(.+?)["']\)/.exec(String(load))?.[1]
  if (!module) throw new Error(`No module name in the loader ${String(load)}`)
  return module
}

type Page = {
  modules: string[]
  guide?: string[]
  prerendered?: string
  /** Null if the page has the title and description of `index.html`. */
  head?: { title?: string; description?: string } | null
  links?: string[]
}

/** Writes the page of an address: `/parcels/EU` is `pages/parcels/EU.html`. */
function pageWriter(context: Rolldown.PluginContext, parts: BundleParts, html: string) {
  return (address: string, { modules, guide = [], prerendered = '', head = {}, links = [] }: Page): void => {
    const { html: body, rules, title = head?.title, subtitle } = fitPrerenderedPage(prerendered)
    const description = head?.description ?? subtitle
    const own = ownStyles(parts, [...ENTRY_MODULES, ...guide, ...modules])
    const sheet = [...own.map(parts.textOf), ...rules].join('\n')
    const name = `${modules.at(-1)!.split('/').at(-1)!.replace('.tsx', '')}.css`
    const asset = sheet && context.emitFile({ type: 'asset', name, source: sheet })
    let page = withLinks(html, [
      ...(asset ? [sheetLink(context.getFileName(asset))] : []),
      ...own.map(includedLink),
      ...links,
      ...codeLinks(parts, [...ENTRY_MODULES, ...modules], guide),
    ])
    if (head) page = withHead(page, title, description)
    page = page.replace('<div id="root"></div>', () => `<div id="root">${body}</div>`)
    context.emitFile({ type: 'asset', fileName: `${join('pages', address)}.html`, source: page })
  }
}

const heroPreloads = (parts: BundleParts): string[] => [
  imagePreload(parts.imageOf('art/logo.svg')),
  // Only small windows display this image.
  imagePreload(parts.imageOf('art/step-1.webp'), ` media="(max-width: ${MOBILE_MAX_PX}px)"`),
]

const imagePreload = (file: string, more = ''): string =>
  `<link rel="preload" as="image" href="/${file}" fetchpriority="high"${more}>`

/** The style sheets of these modules, without those that every page has. */
function ownStyles(parts: BundleParts, modules: string[]): string[] {
  const shared = parts.stylesOf(['boot/main.ts'])
  return parts.stylesOf(modules).filter((file) => !shared.includes(file))
}

const sheetLink = (file: string): string => `<link rel="stylesheet" crossorigin href="/${file}">`

/** Links that the browser ignores until `main.ts` turns them into module preloads. */
function codeLinks(parts: BundleParts, modules: string[], guide: string[] = []): string[] {
  const pageCode = parts.codeOf(modules)
  const guideCode = parts.codeOf(guide).filter((file) => !pageCode.includes(file))
  return [
    ...pageCode.map((file) => `<link data-then crossorigin href="/${file}">`),
    ...guideCode.map((file) => `<link data-then="newcomer" crossorigin href="/${file}">`),
  ]
}

const withLinks = (html: string, links: string[]): string =>
  html.replace('</head>', () => `${links.join('')}</head>`)

/** The page with this title and description, where they are known. */
function withHead(html: string, title?: string, description?: string): string {
  const titled = title ? html.replace(/<title>[^<]*/, () => `<title>${escapeHtml(title)}`) : html
  const named = { 'og:title': title, 'og:description': description, description }
  return Object.entries(named).reduce(
    (page, [name, content]) => (content ? withMeta(page, name, content) : page),
    titled,
  )
}

const withMeta = (html: string, name: string, content: string): string =>
  html.replace(
    new RegExp(`(<meta\\s+(?:name|property)="${name}"\\s+content=")[^"]*`),
    (_, tag) => tag + escapeHtml(content),
  )

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
