import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { type World, worldWith } from '#game/world.ts'
import { WORKER_TYPES, type WorkerType, WORKERS } from '#game/workers.ts'
import type { Config } from '#server/platform/config.ts'
import { errorCode, StartProblem } from '#server/platform/start-problem.ts'

/** What of the world this operator offers: land, its first prices, and how many workers of each type. */
export type OfferedWorld = World & { supply: Readonly<Record<WorkerType, number>> }

/** Every worker of a type has a number of at most eight digits. */
const MOST_WORKERS = 10_000_000

const count = z
  .int()
  .check(
    z.gte(0, `must be from 0 to ${MOST_WORKERS}`),
    z.lte(MOST_WORKERS, `must be from 0 to ${MOST_WORKERS}`),
  )

const WorldFile = z.strictObject({
  exclude: z.optional(z.array(z.string('must be text'))),
  startPrices: z.optional(z.record(z.string(), z.number('must be a number'))),
  supply: z.optional(z.strictObject(mapTypes(() => z.optional(count)))),
})

/**
 * The world as the operator's file describes it: the one of `WORLD_FILE`, else `world.json` in the data folder, else
 * the whole world. A `StartProblem` says in one sentence what is wrong with the file.
 */
export function readWorldFile({ worldFile, dataDir }: Pick<Config, 'worldFile' | 'dataDir'>): OfferedWorld {
  const path = worldFile || join(dataDir, 'world.json')
  const choice = parse(path, read(path, { needed: worldFile !== '' }))
  const world = worldWith({
    ...(choice.exclude ? { exclude: choice.exclude } : {}),
    ...(choice.startPrices ? { startPrices: choice.startPrices } : {}),
  })
  if ('problem' in world) throw wrong(path, world.problem)
  const supply = mapTypes((type) => choice.supply?.[type] ?? WORKERS[type].maxSupply)
  return { ...world, supply }
}

function mapTypes<T>(of: (type: WorkerType) => T): Record<WorkerType, T> {
  return Object.fromEntries(WORKER_TYPES.map((type) => [type, of(type)])) as Record<WorkerType, T>
}

function read(path: string, { needed }: { needed: boolean }): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (!needed && ['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return '{}'
    throw new StartProblem(`WORLD_FILE is "${path}", which cannot be read: ${errorCode(error)}.`)
  }
}

function parse(path: string, text: string): z.output<typeof WorldFile> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw wrong(path, 'it is not valid JSON')
  }
  const result = WorldFile.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  const where = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    throw wrong(path, `${[where, issue.keys[0]].filter(Boolean).join('.')} is no setting of it`)
  }
  throw wrong(path, `${where || 'it'} ${reasonOf(issue)}`)
}

function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.message.startsWith('must ')) return issue.message
  return issue.code === 'invalid_type' ? `must be of type ${issue.expected}` : issue.message
}

const wrong = (path: string, problem: string) =>
  new StartProblem(`The world file ${path} (WORLD_FILE) is wrong: ${problem}.`)
