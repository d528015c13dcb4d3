import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/**
 * Removes the schemas from the contract in the production build. The server does the validation, and a validation
 * library would double the size of the first page.
 */
export function removeSchemas(): Plugin {
  const stub = 'const z = new Proxy(function () {}, { get: () => z, apply: () => z })'
  return {
    name: 'remove-schemas',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('/contract/')) return null
      return code.replace(/import \* as z from 'zod\/mini'\n/, `${stub}\n`)
    },
  }
}

/** Writes `.br` and `.gz` beside every text file, so that the server never compresses at run time. */
export function compressFiles(folder: string): Plugin {
  const brotli = promisify(brotliCompress)
  const gz = promisify(gzip)
  return {
    name: 'compress-files',
    apply: 'build',
    async closeBundle() {
      const files = await readdir(folder, { recursive: true })
      const texts = files.filter((file) => /\.(js|css|html|svg|json|txt|webmanifest)$/.test(file))
      await Promise.all(
        texts.map(async (file) => {
          const path = join(folder, file)
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
