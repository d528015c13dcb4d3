import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const CLOUDS = 4

/** A browser styles the copy of each `<use>`, and styles all of them again whenever a dialog opens or closes. */
const MOST_USES = 10

/** Inlines the landscape into the HTML, so that it is painted before any script has loaded. */
export function inlineLandscape(web: string): Plugin {
  return {
    name: 'inline-landscape',
    transformIndexHtml: {
      order: 'pre',
      handler: async (html, { server }) => {
        const landscape = withoutStyles(await readFile(join(web, 'art/landscape.svg'), 'utf8'))
        const clouds =
          '<img class="world-cloud" src="/art/cloud.svg" width="190" height="80" alt="" />'.repeat(CLOUDS)
        const mill = '<img class="world-mill" src="/art/mill.svg" width="176" height="176" alt="" />'
        const landscapeHtml = `<div class="world" aria-hidden="true">${landscape}${clouds}${mill}</div>`
        // In production it is a separate, render-blocking file; see `inlineHeadScript`.
        const headScript = server ? '<script type="module" src="/boot/head-script.ts"></script>' : ''
        return html.replace('<!-- world -->', landscapeHtml).replace('</head>', `${headScript}</head>`)
      },
    },
  }
}

/** The content policy forbids style attributes, so opacity becomes an SVG attribute. */
function withoutStyles(svg: string): string {
  const plain = svg.trim().replaceAll(/ style="opacity:([^"]+)"/g, ' opacity="$1"')
  if (/ style="|<style/.test(plain))
    throw new Error('The landscape has a style that the content policy forbids.')
  if (plain.split('<use ').length > MOST_USES)
    throw new Error(
      'Draw repeated shapes of the landscape as markers: each <use> copies its shape into every page.',
    )
  return plain.replace(' xmlns="http://www.w3.org/2000/svg"', '').replace(' class="landscape"', '')
}

/** Adds the head script as a small classic script that loads together with the style sheet. */
export function inlineHeadScript(): Plugin {
  return {
    name: 'inline-head-script',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const headScript = Object.values(bundle ?? {}).find(
          (file) => file.type === 'chunk' && file.name === 'head-script',
        )
        if (headScript?.type !== 'chunk' || headScript.imports.length > 0 || headScript.exports.length > 0)
          throw new Error('head-script.ts must have neither imports nor exports after the build.')
        // A classic script has no module scope.
        headScript.code = `(()=>{${headScript.code}})()`
        return [
          { tag: 'script', attrs: { src: `/${headScript.fileName}` }, injectTo: 'head-prepend' as const },
        ]
      },
    },
  }
}
