import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { CONTINENTS } from '../game/continents.ts'
import { pageHeads } from '#web/boot/page-heads.ts'
import { MOBILE_MAX_PX } from '../web/paths.ts'
import { bundleParts, type BundleParts } from './bundle-parts.ts'
import { type DrawPage, fitDrawing } from './draw-pages.ts'
import { includedLink } from './included-sheets.ts'

/** What every page needs before it can begin. */
const START = ['boot/start.tsx']
/** What every page but the hero needs; the second only until its player is past the first steps. */
const INSIDE = ['shell/inside.tsx']
const GUIDE = 'shell/guide.tsx'
const HERO = 'pages/hero/hero-page.tsx'

/**
 * Writes an HTML of its own for each page: the page as the build draws it, its title and description, its style, and
 * the names of all its code. Search engines get a robots.txt.
 */
export function pageFiles(web: string, bringDrawing: () => Promise<DrawPage>): Plugin {
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
        const draw = await bringDrawing()

        // Addresses without a page of their own are drawn in the browser.
        empty.source = withLinks(html, [
          ...ownStyles(parts, START).map(sheetLink),
          ...codeLinks(parts, START),
        ])
        write('index', { modules: [HERO], drawing: await draw('/'), links: picturesOfHero(parts) })
        for (const { path, module, title, description } of pageHeads) {
          const head = { modules: [...INSIDE, module], guide: [GUIDE], title, description }
          const addresses = path.includes('*') ? CONTINENTS.map((code) => path.replace('*', code)) : [path]
          for (const address of addresses) write(address, { ...head, drawing: await draw(address) })
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
  drawing?: string
  title?: string
  description?: string
  links?: string[]
}

/** Writes the page of an address: `/parcels/EU` is `pages/parcels/EU.html`. */
function pageWriter(context: Rolldown.PluginContext, parts: BundleParts, html: string) {
  return (
    address: string,
    { modules, guide = [], drawing = '', title, description, links = [] }: Page,
  ): void => {
    const { html: drawn, rules } = fitDrawing(drawing)
    const own = ownStyles(parts, [...START, ...guide, ...modules])
    const sheet = [...own.map(parts.textOf), ...rules].join('\n')
    const name = `${modules.at(-1)!.split('/').at(-1)!.replace('.tsx', '')}.css`
    const asset = sheet && context.emitFile({ type: 'asset', name, source: sheet })
    let page = withLinks(html, [
      ...(asset ? [sheetLink(context.getFileName(asset))] : []),
      ...own.map(includedLink),
      ...links,
      ...codeLinks(parts, [...START, ...modules], guide),
    ])
    if (title) page = page.replace(/<title>[^<]*/, () => `<title>${escaped(title)}`)
    if (description)
      page = page.replace(
        /(<meta\s+name="description"\s+content=")[^"]*/,
        (_, tag) => tag + escaped(description),
      )
    page = page.replace('<div id="root"></div>', () => `<div id="root">${drawn}</div>`)
    context.emitFile({ type: 'asset', fileName: `${join('pages', address)}.html`, source: page })
  }
}

const picturesOfHero = (parts: BundleParts): string[] => [
  picture(parts.pictureOf('art/logo.svg')),
  // Only small windows show it.
  picture(parts.pictureOf('art/step-1.webp'), ` media="(max-width: ${MOBILE_MAX_PX}px)"`),
]

const picture = (file: string, more = ''): string =>
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

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
