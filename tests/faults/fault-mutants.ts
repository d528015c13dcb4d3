import { join } from 'node:path'
import { CLUSTER_MUTANTS, type ProductEdit } from '#tests/cluster/cluster-mutants.ts'
import type { Target } from './live-game.ts'

export type FaultMutant = {
  /** What is killed in turn; empty for power cuts. */
  targets: readonly Target[]
  edits?: readonly ProductEdit[]
  /** Run by the owner of the database, who may change its settings. */
  statements?: readonly string[]
}

const ROOT = join(import.meta.dirname, '../..')
const HOOK = join(ROOT, 'tests/cluster/load-mutant.ts')

// The supervisor gives its roles neither its environment nor its flags.
const PASS_ON: ProductEdit = {
  file: 'server/processes/supervise-process.ts',
  find: 'fork(program, [role], { env, execArgv: flags })',
  replace: `fork(program, [role], {
      env: { ...env, PRODUCT_EDITS: process.env.PRODUCT_EDITS },
      execArgv: [...flags, '--import=${HOOK}', ...(flags.includes('--permission') ? ['--allow-fs-read=${HOOK}'] : [])],
    })`,
}

const ofCluster = (name: string): readonly ProductEdit[] => [PASS_ON, ...CLUSTER_MUTANTS[name]!.edits!]

/** Ways to write or to set up the game wrongly. The checks have to find each. */
export const FAULT_MUTANTS: Record<string, FaultMutant> = {
  'ack-before-commit': { targets: ['backend', 'postgres'], edits: ofCluster('ack-before-commit') },
  'key-outside-the-transaction': { targets: ['api'], edits: ofCluster('key-outside-the-transaction') },
  'no-synchronous-commit': {
    targets: ['postgres'],
    statements: ['alter system set synchronous_commit = off', 'select pg_reload_conf()'],
  },
  'no-fsync': { targets: [], statements: ['alter system set fsync = off', 'select pg_reload_conf()'] },
  // Only a disk with a cache (`--cache`) leaves parts of a page.
  'no-full-page-writes': {
    targets: [],
    statements: ['alter system set full_page_writes = off', 'select pg_reload_conf()'],
  },
  'chain-without-fsync': {
    targets: [],
    edits: [
      PASS_ON,
      {
        file: 'local-chain/store.ts',
        find: 'pragma synchronous = full',
        replace: 'pragma synchronous = off',
      },
    ],
  },
}
