import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listProcessTree, waitFor } from '#tests/support/run-server.ts'
import { countHealthy, type DatabaseCluster, type DatabaseNode } from './database-cluster.ts'

/** How a primary is lost, or leaves its place in order. */
export const FAILURES = ['kill', 'freeze', 'switchover'] as const
export type Failure = (typeof FAILURES)[number]

const FROZEN_FOR_MS = 25_000

/** Takes the primary away, and resolves with the time until another node is primary, in ms. */
export async function failOver(database: DatabaseCluster, failure: Failure): Promise<number> {
  const name = await waitFor('a primary', () => database.primary())
  const node = database.nodes.find((each) => each.name === name)!
  const from = Date.now()
  const replaced = waitFor('another primary', () => anotherPrimary(database, node), 120_000).then(
    () => Date.now() - from,
  )
  if (failure === 'kill') process.kill(postgresPid(node), 'SIGKILL')
  if (failure === 'freeze') await freeze(node)
  if (failure === 'switchover') await switchOver(node)
  const tookMs = await replaced
  await waitFor('three nodes again', async () => countHealthy(await database.members()) === 3, 120_000)
  return tookMs
}

async function anotherPrimary(database: DatabaseCluster, { name }: DatabaseNode): Promise<boolean> {
  const others = database.nodes.filter((node) => node.name !== name)
  const answers = others.map(({ ports }) =>
    fetch(`http://127.0.0.1:${ports.rest}/primary`, { signal: AbortSignal.timeout(1000) }).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return (await Promise.all(answers)).includes(true)
}

const postgresPid = ({ dataDir }: DatabaseNode): number =>
  Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n', 1)[0])

/** Stops all processes of the node without ending them, as a machine does that hangs, and lets them go on later. */
async function freeze(node: DatabaseNode): Promise<void> {
  const pids = [...listProcessTree(node.patroni.pid!), ...listProcessTree(postgresPid(node))].map(
    ({ pid }) => pid,
  )
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of new Set(pids)) {
      try {
        process.kill(pid, name)
      } catch {
        // A process of Postgres that ended meanwhile.
      }
    }
  }
  signal('SIGSTOP')
  await sleep(FROZEN_FOR_MS)
  signal('SIGCONT')
}

async function switchOver({ name, ports }: DatabaseNode): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${ports.rest}/switchover`, {
    method: 'POST',
    body: JSON.stringify({ leader: name }),
  })
  if (!answer.ok) throw new Error(`The switchover was refused: ${await answer.text()}`)
}
