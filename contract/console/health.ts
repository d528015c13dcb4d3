import * as z from 'zod/mini'
import { Instant } from '#contract/values.ts'
import { read } from './route.ts'

const RoleHealth = z.object({
  role: z.enum(['api', 'watcher', 'signer', 'console']),
  state: z.enum(['running', 'silent']),
  /** How many database connections it has. */
  connections: z.int(),
  /** When it last wrote that it runs; null if it does not write it. */
  seenAt: z.nullable(Instant),
  /** A sentence. */
  detail: z.string(),
})

export const readHealth = read('/api/console/health', {
  summary: 'Roles, versions, the database and its backups.',
  right: 'view',
  query: z.strictObject({}),
  reply: z.object({
    at: Instant,
    roles: z.array(RoleHealth),
    versions: z.object({
      program: z.string(),
      node: z.string(),
      postgres: z.string(),
      /** The newest migration that the database has. */
      schema: z.string(),
    }),
    database: z.object({
      bytes: z.int(),
      /** How much it grew in the last 24 hours; null if that is not known yet. */
      grownBytes: z.nullable(z.int()),
      connections: z.int(),
      maxConnections: z.int(),
      /** The ten largest tables with their indexes. */
      tables: z.array(z.object({ name: z.string(), bytes: z.int(), rows: z.int() })),
      /** Standbys, and how far each is behind. */
      standbys: z.array(z.object({ name: z.string(), state: z.string(), lagMs: z.nullable(z.int()) })),
    }),
    /** How old the newest reserve snapshot is, in milliseconds; null if there is none. */
    watcherLagMs: z.nullable(z.int()),
    backups: z.object({
      lastAt: z.nullable(Instant),
      /** When a backup failed, if none was made since. */
      failedAt: z.nullable(Instant),
      /** When the last drill passed, or when it failed. */
      drillAt: z.nullable(Instant),
      drillFailedAt: z.nullable(Instant),
    }),
  }),
})
