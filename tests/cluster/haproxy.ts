import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findFreePort } from '#server/processes/ports.ts'
import { withoutUser } from '#tests/support/haproxy-sample.ts'
import type { DatabaseNode } from './database-cluster.ts'
import { Part } from './part.ts'
import type { Program } from './programs.ts'

const SAMPLE = resolve(import.meta.dirname, '../../deploy/cluster/haproxy.cfg')

export type Haproxy = {
  part: Part
  /** Where players connect. */
  url: string
  /** The port that leads to the primary. */
  primary: number
}

type Options = {
  name: string
  program: Program
  folder: string
  logs: string
  apiPorts: readonly number[]
  database: { nodes: readonly Pick<DatabaseNode, 'host' | 'ports'>[] }
  isLimited: boolean
  edit(text: string): string
}

/** Starts HAProxy with the sample's settings in front of these apis and of the database. */
export async function startHaproxy({
  name,
  program,
  folder,
  logs,
  edit,
  ...behind
}: Options): Promise<Haproxy> {
  const front = await findFreePort(2)
  const primary = front + 1
  const file = join(folder, `${name}.cfg`)
  writeFileSync(file, edit(haproxyFile({ front, primary, ...behind })))
  // With a master, which reloads at SIGUSR2.
  const part = new Part({ name, program, args: ['-W', '-db', '-f', file], cwd: folder, logs })
  part.start()
  return { part, url: `http://127.0.0.1:${front}`, primary }
}

type Addresses = Pick<Options, 'apiPorts' | 'database' | 'isLimited'> & { front: number; primary: number }

/** The sample with the addresses of this machine. */
function haproxyFile({ front, primary, apiPorts, database, isLimited }: Addresses): string {
  return withoutUser(readFileSync(SAMPLE, 'utf8'))
    .replaceAll(/^.* (?:return status 429|connection reject) .*\n/gm, (line) => (isLimited ? line : ''))
    .replace('bind 127.0.0.1:5432', `bind 127.0.0.1:${primary}`)
    .replace(/bind :443 .*/, `bind 127.0.0.1:${front}`)
    .replace(/bind :::443 .*/, '')
    .replace('set-header X-Forwarded-Proto https', 'set-header X-Forwarded-Proto http')
    .replace(/check port 8008/, 'check')
    .replaceAll(/server db(\d) .*/g, (_all, node: string) => {
      const { host, ports } = database.nodes[Number(node) - 1]!
      return `server db${node} ${host}:${ports.postgres} port ${ports.rest}`
    })
    .replaceAll(/(?: *server api\d .*\n?)+/g, (lines) =>
      apiPorts
        .map((port, index) => {
          const track = lines.includes(' track ') ? ` track apis/api${index + 1}` : ''
          return `    server api${index + 1} 127.0.0.1:${port}${track}\n`
        })
        .join(''),
    )
}
