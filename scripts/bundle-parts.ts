import { relative } from 'node:path'
import type { Rolldown } from 'vite'

type Chunk = Rolldown.OutputChunk & { viteMetadata?: { importedCss: Set<string> } }

/** Finds the files of a build by their source modules, which are named relative to `web`. */
export function bundleParts(web: string, bundle: Rolldown.OutputBundle) {
  const files = Object.values(bundle)
  const chunks = files.filter((file): file is Chunk => file.type === 'chunk')
  const assets = files.filter((file) => file.type === 'asset')

  const chunkOf = (module: string): Chunk => {
    const found = chunks.find(({ facadeModuleId, moduleIds }) =>
      [facadeModuleId, ...moduleIds].some((id) => id && relative(web, id) === module),
    )
    if (!found) throw new Error(`No chunk contains ${module}.`)
    return found
  }
  /** The chunks of these modules and of everything that they import. */
  const collectChunks = (modules: readonly string[]): Chunk[] => {
    const seen = new Set<Chunk>()
    // A chunk that contained only styles has been removed, but other chunks may still list it.
    const add = (chunk: Chunk | undefined): void => {
      if (!chunk || seen.has(chunk)) return
      seen.add(chunk)
      for (const file of chunk.imports) add(chunks.find((each) => each.fileName === file))
    }
    for (const module of modules) add(chunkOf(module))
    return [...seen]
  }

  return {
    codeOf: (modules: readonly string[]): string[] => collectChunks(modules).map(({ fileName }) => fileName),
    stylesOf: (modules: readonly string[]): string[] => [
      ...new Set(collectChunks(modules).flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])])),
    ],
    textOf: (fileName: string): string =>
      String(assets.find((asset) => asset.fileName === fileName)?.source ?? ''),
    imageOf(file: string): string {
      const found = assets.find(({ originalFileNames }) => originalFileNames.includes(file))
      if (!found) throw new Error(`No asset was built from ${file}.`)
      return found.fileName
    },
  }
}

export type BundleParts = ReturnType<typeof bundleParts>
