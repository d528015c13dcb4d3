import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { type World, buildWorld } from '#game/world.ts'
import { mapWorkerTypes, type WorkerType, WORKERS } from '#game/workers.ts'
import type { Config } from '#server/platform/config.ts'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'

/** What this operator offers: land, its initial prices, and the supply of each worker type. */
export type OfferedWorld = World & { supply: Readonly<Record<WorkerType, number>> }

/** A worker id has a number of at most eight digits. */
const MAX_WORKERS = 10_000_000

const count = z
  .int()
  .check(z.gte(0, `must be from 0 to ${MAX_WORKERS}`), z.lte(MAX_WORKERS, `must be from 0 to ${MAX_WORKERS}`))

const WorldFile = z.strictObject({
  exclude: z.optional(z.array(z.string('must be text'))),
  startPrices: z.optional(z.record(z.string(), z.number('must be a number'))),
  supply: z.optional(z.strictObject(mapWorkerTypes(() => z.optional(count)))),
})

/**
 * The offered world, from `WORLD_FILE`, else from `world.json` in the data folder, else the whole world. A `StartupError`
 * says in one sentence what is wrong with the file.
 */
export function readWorldFile({ worldFile, dataDir }: Pick<Config, 'worldFile' | 'dataDir'>): OfferedWorld {
  const path = worldFile || join(dataDir, 'world.json')
  const choice = parse(path, read(path, { required: worldFile !== '' }))
  const world = buildWorld(choice)
  if ('problem' in world) throw invalidFile(path, world.problem)
  const supply = mapWorkerTypes((type) => choice.supply?.[type] ?? WORKERS[type].maxSupply)
  return { ...world, supply }
}

function read(path: string, { required }: { required: boolean }): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (!required && ['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return '{}'
    throw new StartupError(`WORLD_FILE is "${path}", which cannot be read: ${errorCode(error)}.`)
  }
}

function parse(path: string, text: string): z.output<typeof WorldFile> {
  let value: unknown
  try {
    // Some editors begin a file with a byte order mark.
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw invalidFile(path, 'it is not valid JSON')
  }
  const result = WorldFile.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  const where = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    throw invalidFile(path, `${[where, issue.keys[0]].filter(Boolean).join('.')} is no setting of it`)
  }
  throw invalidFile(path, `${where || 'it'} ${describeIssue(issue)}`)
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.message.startsWith('must ')) return issue.message
  return issue.code === 'invalid_type' ? `must be of type ${issue.expected}` : issue.message
}

const invalidFile = (path: string, problem: string) =>
  new StartupError(`The world file ${path} (WORLD_FILE) is wrong: ${problem}.`)
