import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { CONTINENTS } from '../game/continents.ts'
import { pageHeads } from '#web/boot/page-heads.ts'
import { MOBILE_MAX_PX } from '../web/paths.ts'
import { bundleParts, type BundleParts } from './bundle-parts.ts'
import { type PrerenderPage, fitPrerenderedPage } from './prerender-pages.ts'
import { includedLink } from './included-sheets.ts'

/** What every page needs before it can begin. */
const ENTRY_MODULES = ['boot/start.tsx']
/** What every page but the hero needs; the second only until its player is past the first steps. */
const LAYOUT_MODULES = ['shell/app-layout.tsx']
const GUIDE_MODULE = 'shell/guide.tsx'
const HERO_MODULE = 'pages/hero/hero-page.tsx'

/**
 * Writes an HTML of its own for each page: the page as the build draws it, its title and description, its style, and
 * the names of all its code. Search engines get a robots.txt.
 */
export function pageFiles(web: string, loadPrerender: () => Promise<PrerenderPage>): Plugin {
  return {
    name: 'page-files',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const empty = bundle['index.html']
        if (empty?.type !== 'asset') throw new Error('There is no index.html to make the pages of.')
        const html = String(empty.source)
        const parts = bundleParts(web, bundle)
        const write = pageWriter(this, parts, html)
        const prerender = await loadPrerender()

        // Addresses without a page of their own are drawn in the browser.
        empty.source = withLinks(html, [
          ...ownStyles(parts, ENTRY_MODULES).map(sheetLink),
          ...codeLinks(parts, ENTRY_MODULES),
        ])
        write('index', {
          modules: [HERO_MODULE],
          prerendered: await prerender('/'),
          links: heroPreloads(parts),
        })
        for (const { path, module, title, description } of pageHeads) {
          const head = { modules: [...LAYOUT_MODULES, module], guide: [GUIDE_MODULE], title, description }
          const addresses = path.includes('*') ? CONTINENTS.map((code) => path.replace('*', code)) : [path]
          for (const address of addresses) write(address, { ...head, prerendered: await prerender(address) })
          // What stands in the place of the `*` may be anything.
          if (path.includes('*')) write(path.replace('*', '_'), head)
        }
        const source = 'User-agent: *\nAllow: /\nDisallow: /api/\n'
        this.emitFile({ type: 'asset', fileName: 'robots.txt', source })
      },
    },
  }
}

type Page = {
  modules: string[]
  guide?: string[]
  prerendered?: string
  title?: string
  description?: string
  links?: string[]
}

/** Writes the page of an address: `/parcels/EU` is `pages/parcels/EU.html`. */
function pageWriter(context: Rolldown.PluginContext, parts: BundleParts, html: string) {
  return (
    address: string,
    { modules, guide = [], prerendered = '', title, description, links = [] }: Page,
  ): void => {
    const { html: body, rules } = fitPrerenderedPage(prerendered)
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
    if (title) page = page.replace(/<title>[^<]*/, () => `<title>${escapeHtml(title)}`)
    if (description)
      page = page.replace(
        /(<meta\s+name="description"\s+content=")[^"]*/,
        (_, tag) => tag + escapeHtml(description),
      )
    page = page.replace('<div id="root"></div>', () => `<div id="root">${body}</div>`)
    context.emitFile({ type: 'asset', fileName: `${join('pages', address)}.html`, source: page })
  }
}

const heroPreloads = (parts: BundleParts): string[] => [
  imagePreload(parts.imageOf('art/logo.svg')),
  // Only small windows show it.
  imagePreload(parts.imageOf('art/step-1.webp'), ` media="(max-width: ${MOBILE_MAX_PX}px)"`),
]

const imagePreload = (file: string, more = ''): string =>
  `<link rel="preload" as="image" href="/${file}" fetchpriority="high"${more}>`

/** What these modules need beyond the sheet that every page has. */
function ownStyles(parts: BundleParts, modules: string[]): string[] {
  const everywhere = parts.stylesOf(['boot/main.ts'])
  return parts.stylesOf(modules).filter((file) => !everywhere.includes(file))
}

const sheetLink = (file: string): string => `<link rel="stylesheet" crossorigin href="/${file}">`

/** The browser fetches nothing for them until `main.ts` says so. */
function codeLinks(parts: BundleParts, modules: string[], guide: string[] = []): string[] {
  const always = parts.codeOf(modules)
  const once = parts.codeOf(guide).filter((file) => !always.includes(file))
  return [
    ...always.map((file) => `<link data-then crossorigin href="/${file}">`),
    ...once.map((file) => `<link data-then="newcomer" crossorigin href="/${file}">`),
  ]
}

const withLinks = (html: string, links: string[]): string =>
  html.replace('</head>', () => `${links.join('')}</head>`)

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
