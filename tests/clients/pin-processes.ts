import { execFileSync } from 'node:child_process'
import { availableParallelism, constants, setPriority } from 'node:os'

/** How the processes share the processors. */
export type Sharing = 'pinned' | 'shared'

/**
 * Gives the game a processor of its own and puts everything else on another one: the players, and at the lowest priority
 * the hostile clients. Otherwise the players would also wait for the clients' own work, which is no fault of the game.
 */
export function pinProcesses(of: { game: number; hostile: number; decoy: number }): Sharing {
  const [forGame, forOthers] = listProcessors()
  if (forGame === undefined || forOthers === undefined) return 'shared'
  // V8's helpers stay free: several on one processor wait for each other, and stop the game for up to 140 ms.
  pin(of.game, forGame, 'main thread')
  for (const pid of [process.pid, of.hostile, of.decoy]) pin(pid, forOthers, 'all threads')
  for (const pid of [of.hostile, of.decoy]) setPriority(pid, constants.priority.PRIORITY_LOW)
  return 'pinned'
}

/** The processors of this process; fewer than two if it has no choice. */
function listProcessors(): string[] {
  if (process.platform !== 'linux' || availableParallelism() < 2) return []
  const shown = execFileSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' })
  const ranges = shown.slice(shown.lastIndexOf(':') + 1).split(',')
  return ranges.flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, at) => String(first + at))
  })
}

function pin(pid: number, processor: string, what: 'main thread' | 'all threads'): void {
  const of = what === 'all threads' ? '-acp' : '-cp'
  execFileSync('taskset', [of, processor, String(pid)], { stdio: 'ignore' })
}
