import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { shareMessages } from '#web/messages/en-page-heads.ts'
import { messages } from '#web/messages/en.ts'

const LINK_IMAGE = { file: 'link.jpg', width: 1_200, height: 630 }

const manifest = {
  id: '/',
  name: messages.product,
  short_name: messages.product,
  description: shareMessages.description,
  lang: 'en',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#a9e1f8',
  theme_color: '#8a5226',
  categories: ['games'],
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
}

/**
 * What browsers need to install the game and other sites to preview a link to it: the pictures of `web/share` under fixed
 * names, the manifest, and their tags on every page. `pageFiles` adapts title and description to each page.
 */
export function shareFiles(web: string): Plugin {
  return {
    name: 'share-files',
    apply: 'build',
    async generateBundle() {
      const folder = join(web, 'share')
      for (const fileName of await readdir(folder))
        this.emitFile({ type: 'asset', fileName, source: await readFile(join(folder, fileName)) })
      this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source: JSON.stringify(manifest) })
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [
        { tag: 'link', attrs: { rel: 'manifest', href: '/manifest.webmanifest' }, injectTo: 'head' },
        { tag: 'link', attrs: { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' }, injectTo: 'head' },
        property('og:type', 'website'),
        property('og:site_name', messages.product),
        property('og:title', messages.product),
        property('og:description', shareMessages.description),
        property('og:image', `${publicOrigin()}/${LINK_IMAGE.file}`),
        property('og:image:width', String(LINK_IMAGE.width)),
        property('og:image:height', String(LINK_IMAGE.height)),
        property('og:image:alt', shareMessages.imageText),
        { tag: 'meta', attrs: { name: 'twitter:card', content: 'summary_large_image' }, injectTo: 'head' },
      ],
    },
  }
}

const property = (name: string, content: string) => ({
  tag: 'meta',
  attrs: { property: name, content },
  injectTo: 'head' as const,
})

/**
 * The origin of a public game; empty for one that is not, whose links start with a slash. Sites that preview links fetch
 * only public addresses. `buildWeb` builds again when it changes.
 */
const publicOrigin = (): string => {
  const { PUBLIC_URL = '' } = process.env
  return PUBLIC_URL.startsWith('https://') ? new URL(PUBLIC_URL).origin : ''
}
