import { parseArgs } from 'node:util'
import { buildWeb } from '../../scripts/build-web.mjs'
import { startGameCluster } from './game-cluster.ts'

const USAGE = `npm run cluster -- [--apis N]

  --apis N   how many apis serve the game, 1 to 8 (2)

Runs the game on a cluster on this machine until Ctrl-C: three nodes with etcd, Patroni and Postgres, HAProxy,
PgBouncer, a local chain, a watcher, a signer and the apis. The folder with its data is removed at the end.`

const { values } = parseArgs({ options: { apis: { type: 'string' } } })
const apis = Number(values.apis ?? 2)
if (!(Number.isInteger(apis) && apis >= 1 && apis <= 8)) {
  process.stderr.write(`${USAGE}\n`)
  process.exit(2)
}

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)
if (!buildWeb(say)) process.exit(1)
const interrupted = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve)
})
const cluster = await startGameCluster({ apis, say, pooler: true })
const members = await cluster.database.members()
for (const { name, role } of members) {
  const node = cluster.database.nodes.find((each) => each.name === name)
  say(`${name}: Postgres on port ${node?.ports.postgres}, ${role.replace('_', ' ')}`)
}
if (cluster.pooler) say('The roles connect through PgBouncer in transaction mode.')
say(`Logs: ${cluster.folder}/logs`)
say(`Cotton Farm is ready: ${cluster.publicUrl}`)
await interrupted
say('Stopping …')
await cluster.stop()
