import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ProductEdit } from '#tests/cluster/cluster-mutants.ts'

export type Order = { id: number; name: 'fund' | 'nameOperator' | 'measure' | 'audit'; given: string }

export type Started = { url: string; consoleUrl: string; rpcUrl: string }

export type FuzzedGameState = {
  /** What is in use after a garbage collection. */
  usedBytes: number
  rssBytes: number
  connections: number
  /** Errors that were logged, and unhandled rejections, since the last measurement. */
  problems: string[]
}

/** A whole game in a process of its own. */
export type FuzzedGame = Started & {
  pid: number
  fund(wallet: string): Promise<void>
  nameOperator(wallet: string): Promise<void>
  measure(): Promise<FuzzedGameState>
  /** The findings of the audit, as JSON. */
  audit(): Promise<string[]>
  /** Why it exited; null while it runs. */
  exit(): string | null
  stop(): Promise<void>
}

type Answer = { id: number; value?: unknown; problem?: string }

/**
 * Starts api, console and local chain in a child process, on a database of the test Postgres. With `edits` it loads the
 * product with a mutant.
 */
export async function startFuzzedGame({
  limited = false,
  edits = [],
}: { limited?: boolean; edits?: readonly ProductEdit[] } = {}): Promise<FuzzedGame> {
  const hook = join(import.meta.dirname, '../cluster/load-mutant.ts')
  const child = fork(join(import.meta.dirname, 'serve-fuzzed-game.ts'), [limited ? 'limited' : 'unlimited'], {
    execArgv: [...(edits.length > 0 ? [`--import=${hook}`] : []), '--no-warnings'],
    env: { ...process.env, PRODUCT_EDITS: JSON.stringify(edits) },
  })
  let exit: string | null = null
  child.once('exit', (code, signal) => (exit = `the game exited with ${signal ?? `code ${code}`}`))
  const [started] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('The game did not start'))),
  ])) as [Started]
  const order = createOrders(child)
  return {
    ...started,
    pid: child.pid!,
    fund: async (wallet) => void (await order('fund', wallet)),
    nameOperator: async (wallet) => void (await order('nameOperator', wallet)),
    measure: async () => (await order('measure')) as FuzzedGameState,
    audit: async () => ((await order('audit')) as object[]).map((finding) => JSON.stringify(finding)),
    exit: () => exit,
    async stop() {
      if (exit !== null) return
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

function createOrders(child: ChildProcess) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0
  child.on('message', ({ id, value, problem }: Answer) => {
    const answered = waiting.get(id)
    waiting.delete(id)
    if (problem === undefined) answered?.resolve(value)
    else answered?.reject(new Error(problem))
  })
  child.once('exit', () => {
    for (const each of waiting.values()) each.reject(new Error('The game has exited'))
  })
  return (name: Order['name'], given = ''): Promise<unknown> => {
    const id = ++lastId
    const answer = Promise.withResolvers<unknown>()
    waiting.set(id, answer)
    child.send({ id, name, given } satisfies Order)
    return answer.promise
  }
}
