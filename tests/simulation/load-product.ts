import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Edit, mutants } from './mutants.ts'
import { SCALE } from './scale.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PRODUCT = ['game', 'contract', 'server'].map((room) => `${pathToFileURL(join(ROOT, room)).href}/`)
const EDITION = /[?&]edition=([\w-]+)/

/** The edition of the product without a mutant. */
export const SOUND = 'sound'

/** What the simulation puts in place of packages that the product's code asks for. */
const IN_PLACE_OF: Record<string, string> = {
  pg: './connection.ts',
  'node:timers/promises': './pause.ts',
  uuid: './uuid.ts',
}

/**
 * Lets the product's own files be loaded several times, once in each edition: as they are, or with one mutant in
 * them. Only what is imported through `loadProduct` is changed; the simulation's own imports are the plain files.
 */
export function registerEditions(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const edition = EDITION.exec(context.parentURL ?? '')?.[0]
      if (edition === undefined) return nextResolve(specifier, context)
      const stand = IN_PLACE_OF[specifier]
      if (stand !== undefined) return { url: new URL(stand, import.meta.url).href, shortCircuit: true }
      const resolved = nextResolve(specifier, context)
      return PRODUCT.some((room) => resolved.url.startsWith(room))
        ? { ...resolved, url: `${resolved.url}?${edition.slice(1)}` }
        : resolved
    },
    load(url, context, nextLoad) {
      const edition = EDITION.exec(url)?.[1]
      if (edition === undefined || !url.startsWith('file:')) return nextLoad(url, context)
      const path = relative(ROOT, fileURLToPath(url))
      const edits = editsOf(edition).filter((each) => each.file === path)
      const loaded = nextLoad(url, context)
      if (edits.length === 0) return loaded
      return { ...loaded, source: edited(String(loaded.source), edits) }
    },
  })
}

function editsOf(edition: string): Edit[] {
  const mutant = mutants.find((each) => each.name === edition)
  return [...SCALE, ...(mutant?.edits ?? [])]
}

function edited(source: string, edits: readonly Edit[]): string {
  let text = source
  for (const { file, find, replace } of edits) {
    const parts = text.split(find)
    if (parts.length !== 2) throw new Error(`${file} holds ${parts.length - 1} times, and not once: ${find}`)
    text = parts.join(replace)
  }
  return text
}

/** What is wrong with the edits of all mutants: texts that no longer stand in their file exactly once. */
export function brokenEdits(): string[] {
  const sets = [{ name: 'scale', edits: SCALE }, ...mutants]
  return sets.flatMap(({ name, edits }) => {
    try {
      for (const file of new Set(edits.map((each) => each.file))) {
        const own = name === 'scale' ? [] : SCALE
        const here = [...own, ...edits].filter((each) => each.file === file)
        edited(readFileSync(join(ROOT, file), 'utf8'), here)
      }
      return []
    } catch (error) {
      return [`${name}: ${(error as Error).message}`]
    }
  })
}

/** The parts of the product that the simulation calls, in one edition. */
export type Product = Awaited<ReturnType<typeof loadProduct>>

export async function loadProduct(edition: string) {
  const load = <T>(path: string): Promise<T> =>
    import(`${pathToFileURL(join(ROOT, path)).href}?edition=${edition}`) as Promise<T>
  const [watcher, signer, chain, db, deposits, withdrawals, claims, submit] = await Promise.all([
    load<typeof import('#server/deposits/watch-deposits.ts')>('server/deposits/watch-deposits.ts'),
    load<typeof import('#server/signer/sign-payouts.ts')>('server/signer/sign-payouts.ts'),
    load<typeof import('#server/deposits/connect-own-chain.ts')>('server/deposits/connect-own-chain.ts'),
    load<typeof import('#server/platform/db/db.ts')>('server/platform/db/db.ts'),
    load<typeof import('#server/deposits/routes.ts')>('server/deposits/routes.ts'),
    load<typeof import('#server/withdrawals/routes.ts')>('server/withdrawals/routes.ts'),
    load<typeof import('#server/workers/claim.ts')>('server/workers/claim.ts'),
    load<typeof import('#server/actions/submit.ts')>('server/actions/submit.ts'),
  ])
  return {
    startWatcher: watcher.startWatcher,
    startSigner: signer.startSigner,
    connectOwnChain: chain.connectOwnChain,
    openDb: db.openDb,
    depositRoutes: deposits.depositRoutes,
    withdrawalRoutes: withdrawals.withdrawalRoutes,
    claim: claims.claim,
    claimAll: claims.claimAll,
    submitting: submit.submitting,
  }
}
