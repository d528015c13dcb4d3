import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Edit, mutants } from './mutants.ts'
import { SCALE_EDITS } from './scale-edits.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PRODUCT_FOLDERS = ['game', 'contract', 'server'].map(
  (folder) => `${pathToFileURL(join(ROOT, folder)).href}/`,
)
const EDITION = /[?&]edition=([\w-]+)/

/** The edition of the product without a mutant. */
export const UNMUTATED = 'unmutated'

/** The simulation's replacements for packages that the product imports. */
const MODULE_STUBS: Record<string, string> = {
  pg: './connection.ts',
  'node:timers/promises': './pause.ts',
  uuid: './uuid.ts',
}

/**
 * Allows the product's files to be loaded several times, once per edition: unmutated, or with one mutant. Only imports
 * through `loadProduct` are changed; the simulation's own imports get the plain files.
 */
export function registerEditionHooks(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const edition = EDITION.exec(context.parentURL ?? '')?.[0]
      if (edition === undefined) return nextResolve(specifier, context)
      const stub = MODULE_STUBS[specifier]
      if (stub !== undefined) return { url: new URL(stub, import.meta.url).href, shortCircuit: true }
      const resolved = nextResolve(specifier, context)
      return PRODUCT_FOLDERS.some((folder) => resolved.url.startsWith(folder))
        ? { ...resolved, url: `${resolved.url}?${edition.slice(1)}` }
        : resolved
    },
    load(url, context, nextLoad) {
      const edition = EDITION.exec(url)?.[1]
      if (edition === undefined || !url.startsWith('file:')) return nextLoad(url, context)
      const path = relative(ROOT, fileURLToPath(url))
      const edits = listEdits(edition).filter((each) => each.file === path)
      const loaded = nextLoad(url, context)
      if (edits.length === 0) return loaded
      return { ...loaded, source: applyEdits(String(loaded.source), edits) }
    },
  })
}

function listEdits(edition: string): Edit[] {
  const mutant = mutants.find((each) => each.name === edition)
  return [...SCALE_EDITS, ...(mutant?.edits ?? [])]
}

function applyEdits(source: string, edits: readonly Edit[]): string {
  let text = source
  for (const { file, find, replace } of edits) {
    const parts = text.split(find)
    if (parts.length !== 2)
      throw new Error(`${file} contains this ${parts.length - 1} times instead of once: ${find}`)
    text = parts.join(replace)
  }
  return text
}

/** The edits of mutants whose text no longer occurs in its file exactly once. */
export function findBrokenEdits(): string[] {
  const sets = [{ name: 'scale', edits: SCALE_EDITS }, ...mutants]
  return sets.flatMap(({ name, edits }) => {
    try {
      for (const file of new Set(edits.map((each) => each.file))) {
        const own = name === 'scale' ? [] : SCALE_EDITS
        const here = [...own, ...edits].filter((each) => each.file === file)
        applyEdits(readFileSync(join(ROOT, file), 'utf8'), here)
      }
      return []
    } catch (error) {
      return [`${name}: ${(error as Error).message}`]
    }
  })
}

/** The parts of the product that the simulation calls, of one edition. */
export type Product = Awaited<ReturnType<typeof loadProduct>>

export async function loadProduct(edition: string) {
  const load = <T>(path: string): Promise<T> =>
    import(`${pathToFileURL(join(ROOT, path)).href}?edition=${edition}`) as Promise<T>
  const [watcher, solvency, foreign, signer, acts, actions] = await Promise.all([
    load<typeof import('#server/deposits/watch-deposits.ts')>('server/deposits/watch-deposits.ts'),
    load<typeof import('#server/solvency/watch-solvency.ts')>('server/solvency/watch-solvency.ts'),
    load<typeof import('#server/deposits/watch-foreign-accounts.ts')>(
      'server/deposits/watch-foreign-accounts.ts',
    ),
    load<typeof import('#server/signer/start-signer.ts')>('server/signer/start-signer.ts'),
    load<typeof import('#server/operators/submit-act.ts')>('server/operators/submit-act.ts'),
    load<typeof import('#server/console/operator-actions.ts')>('server/console/operator-actions.ts'),
  ])
  const [chain, db, deposits, withdrawals, claims, submit] = await Promise.all([
    load<typeof import('#server/deposits/connect-bound-chain.ts')>('server/deposits/connect-bound-chain.ts'),
    load<typeof import('#server/platform/db/db.ts')>('server/platform/db/db.ts'),
    load<typeof import('#server/deposits/routes.ts')>('server/deposits/routes.ts'),
    load<typeof import('#server/withdrawals/routes.ts')>('server/withdrawals/routes.ts'),
    load<typeof import('#server/workers/claim.ts')>('server/workers/claim.ts'),
    load<typeof import('#server/actions/submit-in-batches.ts')>('server/actions/submit-in-batches.ts'),
  ])
  return {
    startWatcher: watcher.startWatcher,
    startSolvencyWatch: solvency.startSolvencyWatch,
    startForeignWatch: foreign.startForeignWatch,
    startSigner: signer.startSigner,
    prepareAct: acts.prepareAct,
    submitAct: acts.submitAct,
    freeze: actions.freeze,
    pause: actions.pause,
    connectOwnChain: chain.connectBoundChain,
    openDb: db.openDb,
    depositRoutes: deposits.depositRoutes,
    withdrawalRoutes: withdrawals.withdrawalRoutes,
    claim: claims.claim,
    claimAll: claims.claimAll,
    submitInBatches: submit.submitInBatches,
  }
}
