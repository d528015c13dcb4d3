import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const WEB = join(import.meta.dirname, 'web')
const OUT = join(import.meta.dirname, '.build/web')

type SvgTree = [name: string, props: Record<string, unknown>, children: SvgTree[]]

const propName = (name: string): string =>
  name.startsWith('aria-') ? name : name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The attributes of one tag as React props: `style` as an object, since the policy forbids it as text. */
function propsOf(tag: string): Record<string, unknown> {
  const props: Record<string, unknown> = {}
  for (const [, name = '', value = ''] of tag.matchAll(/([\w:-]+)="([^"]*)"/g)) {
    if (name === 'xmlns' || name === 'class') continue
    props[propName(name)] =
      name === 'style'
        ? Object.fromEntries(value.split(';').map((rule) => rule.split(':').map((part) => part.trim())))
        : value
  }
  return props
}

/** Reads the well-formed, text-free SVG of our own art. */
function parseSvg(source: string): SvgTree {
  const top: SvgTree = ['', {}, []]
  const open: SvgTree[] = [top]
  for (const [tag, closing, name = ''] of source.matchAll(/<(\/?)([\w:]+)[^>]*>/g)) {
    if (closing) {
      open.pop()
      continue
    }
    const node: SvgTree = [name, propsOf(tag), []]
    open.at(-1)?.[2].push(node)
    if (!tag.endsWith('/>')) open.push(node)
  }
  const root = top[2][0]
  if (!root || open.length !== 1) throw new Error('The SVG is not well-formed.')
  return root
}

/** `import { tree } from './x.svg?tree'`: an SVG as data, for art that must be inline without any HTML text. */
function svgTree(): Plugin {
  return {
    name: 'svg-tree',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith('.svg?tree')) return null
      const source = await readFile(id.slice(0, -'?tree'.length), 'utf8')
      return `export const tree = ${JSON.stringify(parseSvg(source))}`
    },
  }
}

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

export default defineConfig({
  root: WEB,
  publicDir: false,
  plugins: [modulesBesideTheApi(), svgTree(), routesWithoutSchemas(), react(), preloadFonts(), compressed()],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2023',
    // The content policy allows neither inline scripts nor scripts from data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
})
