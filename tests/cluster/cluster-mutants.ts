import type { NodeOptions } from './database-cluster.ts'
import type { KindName } from './fail-over.ts'

/** A change of a product file while an api loads it. `find` occurs in the file exactly once. */
export type ProductEdit = { file: string; find: string; replace: string }

export type ClusterMutant = {
  /** What happens in its rounds, in turn. */
  kinds: readonly KindName[]
  nodes?: NodeOptions
  editHaproxy?: (text: string) => string
  edits?: readonly ProductEdit[]
}

const ASYNCHRONOUS: NodeOptions = {
  isSynchronous: false,
  editPatroni: (text) =>
    text
      .replace('synchronous_mode: true', 'synchronous_mode: false')
      .replace('synchronous_mode_strict: true', 'synchronous_mode_strict: false')
      .replace(/^( +)max_connections: .*$/m, '$&\n$1synchronous_commit: "off"\n$1wal_writer_delay: 5s'),
}

/** Ways to set up or to write the cluster wrongly. The checker of histories has to find each. */
export const CLUSTER_MUTANTS: Record<string, ClusterMutant> = {
  'async-commit': {
    kinds: ['kill', 'power'],
    nodes: ASYNCHRONOUS,
  },
  'ack-before-commit': {
    kinds: ['partition', 'kill'],
    edits: [
      {
        file: 'server/platform/db/db.ts',
        find: '      await pipeline.waitForAll()\n      if (warning)',
        replace: '      pipeline.waitForAll().catch(() => {})\n      if (warning)',
      },
    ],
  },
  'key-outside-the-transaction': {
    kinds: ['kill', 'partition'],
    edits: [
      {
        file: 'server/actions/run-once.ts',
        find: 'type StoredRow =',
        replace: `const mutantKeys = new Map<string, StoredRow>()\ntype StoredRow =`,
      },
      {
        file: 'server/actions/run-once.ts',
        find: 'await tx.rows(findKeys, { requested })',
        replace: 'requested.flatMap((each) => mutantKeys.get(nameOf(each.wallet, each)) ?? [])',
      },
      {
        file: 'server/actions/run-once.ts',
        find: 'if (stored.length > 0) tx.send(storeKeys, { stored, now })',
        replace:
          'for (const each of stored) mutantKeys.set(nameOf(each.wallet, each), { ...each, answer: JSON.parse(each.answer) })',
      },
    ],
  },
  'retry-without-key': {
    kinds: ['kill', 'partition'],
    editHaproxy: (text) =>
      text.replace(
        'http-request set-header X-Forwarded-For',
        'http-request del-header Idempotency-Key\n    $&',
      ),
  },
  // HAProxy is slow to believe that a node is no longer primary, and leads to both meanwhile.
  'two-primaries': {
    kinds: ['patroni'],
    nodes: ASYNCHRONOUS,
    editHaproxy: (text) => text.replace('fall 2 rise 1 on-marked-down shutdown-sessions', 'fall 30 rise 1'),
  },
}
