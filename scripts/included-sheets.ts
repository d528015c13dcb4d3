import type { Plugin } from 'vite'

const MARK = 'data-included'
const IS_LOADED = 'link.rel === "stylesheet"'

/**
 * Names a style sheet whose rules are part of the page's own sheet. The HTML standard gives a
 * link without `rel` no meaning, so browsers never fetch it.
 */
export const includedLink = (file: string): string => `<link ${MARK} href="/${file}">`

/**
 * Before a dynamic import, Vite's helper loads the style sheets of the imported chunks, except those that the document
 * has already. It counts the sheets that `includedLink` names as loaded, so that no rule is fetched twice.
 */
export function skipIncludedSheets(): Plugin {
  return {
    name: 'skip-included-sheets',
    apply: 'build',
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler(code) {
        const [before, after, ...more] = code.split(IS_LOADED)
        if (after === undefined || more.length > 0)
          throw new Error(
            "Vite's preload helper has changed: its check for loaded style sheets was not found.",
          )
        return `${before}(${IS_LOADED} || link.hasAttribute('${MARK}'))${after}`
      },
    },
  }
}
