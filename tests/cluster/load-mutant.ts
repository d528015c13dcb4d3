import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ProductEdit } from './cluster-mutants.ts'

// A role that is started with `--import` of this file loads the product with these edits of a mutant.
const edits = JSON.parse(process.env.PRODUCT_EDITS ?? '[]') as ProductEdit[]
const root = join(import.meta.dirname, '../..')

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const own = edits.filter(({ file }) => url === pathToFileURL(join(root, file)).href)
    if (own.length === 0) return loaded
    let source = String(loaded.source)
    for (const { file, find, replace } of own) {
      const parts = source.split(find)
      if (parts.length !== 2) throw new Error(`${file} has this ${parts.length - 1} times: ${find}`)
      source = parts.join(replace)
    }
    return { ...loaded, source }
  },
})
