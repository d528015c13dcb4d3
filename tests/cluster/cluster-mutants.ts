import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runStatement } from '#tests/support/test-postgres.ts'
import { type NodeOptions, SUPERUSER_PASSWORD } from './database-cluster.ts'
import type { KindName } from './fail-over.ts'
import type { GameCluster } from './game-cluster.ts'

/** A change of a product file while an api loads it. `find` occurs in the file exactly once. */
export type ProductEdit = { file: string; find: string; replace: string }

export type ClusterMutant = {
  /** What happens in its rounds, in turn. */
  kinds: readonly KindName[]
  nodes?: NodeOptions
  editHaproxy?: (text: string) => string
  edits?: readonly ProductEdit[]
  /** Happens during each round, besides. */
  alongside?(cluster: GameCluster): Promise<void>
}

/** Ways to set up or to write the cluster wrongly. The checker of histories has to find each. */
export const CLUSTER_MUTANTS: Record<string, ClusterMutant> = {
  'async-commit': {
    kinds: ['kill', 'power'],
    nodes: {
      isSynchronous: false,
      editPatroni: (text) =>
        text
          .replace('synchronous_mode: true', 'synchronous_mode: false')
          .replace('synchronous_mode_strict: true', 'synchronous_mode_strict: false')
          .replace(/^( +)max_connections: .*$/m, '$&\n$1synchronous_commit: "off"\n$1wal_writer_delay: 5s'),
    },
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
  'two-primaries': { kinds: ['haproxy'], alongside: runTwoPrimaries },
}

/** Promotes a standby behind Patroni's back, while HAProxy leads to all nodes without asking which is primary. */
async function runTwoPrimaries({ database, haproxy, folder }: GameCluster): Promise<void> {
  const file = join(folder, 'haproxy.cfg')
  const text = readFileSync(file, 'utf8')
  const restart = async (config: string): Promise<void> => {
    writeFileSync(file, config)
    await haproxy.stop('SIGKILL')
    haproxy.start()
  }
  const members = await database.members()
  const standby = members.find(({ role }) => role === 'replica')
  const { host, ports } = database.nodes.find(({ name }) => name === standby?.name)!
  const url = `postgres://postgres:${SUPERUSER_PASSWORD}@${host}:${ports.postgres}/postgres`
  await runStatement(url, 'select pg_promote()')
  await restart(text.replace(/ *option httpchk OPTIONS \/primary\n *http-check expect status 200\n/, ''))
  await sleep(8000)
  await restart(text)
}
