import { Client } from 'pg'

/** What the backends of a database did while they were looked at. */
export type Waits = {
  looks: number
  /** How many backends were at it on average: on the processor, or waiting for what. */
  doing: { what: string; backends: number }[]
}

const EVERY_MS = 10

// A backend that waits for its client inside a transaction holds its locks, so it is shown; one that is idle is not.
const LOOK = `
  select backend_type, state, wait_event_type as type, wait_event as event
  from pg_stat_activity
  where pid <> pg_backend_pid() and (
    (datname = current_database() and state <> 'idle')
    or (backend_type in ('checkpointer', 'walwriter', 'background writer', 'autovacuum worker', 'io worker')
      and wait_event_type is distinct from 'Activity')
  )`

type Seen = { backend_type: string; state: string | null; type: string | null; event: string | null }

/** Looks at all backends again and again, until it is told to stop. */
export async function sampleWaits(ownerUrl: string): Promise<{ stop(): Promise<Waits> }> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'bench-waits' })
  client.on('error', () => {})
  await client.connect()
  const doing = new Map<string, number>()
  let looks = 0
  const run = { on: true }
  const look = async () => {
    while (run.on) {
      const { rows } = await client.query<Seen>({ name: 'bench-look', text: LOOK })
      looks += 1
      for (const row of rows) {
        const what = deedOf(row)
        doing.set(what, (doing.get(what) ?? 0) + 1)
      }
      await new Promise((wait) => setTimeout(wait, EVERY_MS))
    }
  }
  const looking = look()
  // Where it fails, `stop` says so.
  looking.catch(() => {})
  return {
    async stop() {
      run.on = false
      await looking
      await client.end()
      return {
        looks,
        doing: [...doing]
          .map(([what, seen]) => ({ what, backends: seen / looks }))
          .toSorted((a, b) => b.backends - a.backends),
      }
    },
  }
}

function deedOf({ backend_type: backend, state, type, event }: Seen): string {
  const who = backend === 'client backend' ? '' : `${backend}: `
  if (state?.startsWith('idle in transaction')) return 'in a transaction, waiting for the api'
  return who + (type === null ? 'on the processor, or waiting for it' : `${type} ${event}`)
}
