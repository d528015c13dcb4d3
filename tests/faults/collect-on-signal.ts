import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Loaded into the supervisor by `--import`: it and the roles that it starts collect all garbage at the signal SIGUSR2, and
 * return its pages to the system. The inspector cannot do that, because a confined role has none.
 */
const collect = `process.on('SIGUSR2', () => gc({ type: 'major', flavor: 'last-resort' }))`
const flags = ['--expose-gc', `--import=data:text/javascript,${encodeURIComponent(collect)}`]

const { fork } = childProcess
childProcess.fork = (path: string | URL, args?: unknown, options?: childProcess.ForkOptions) =>
  fork(path, args as string[], { ...options, execArgv: [...flags, ...(options?.execArgv ?? [])] })
syncBuiltinESMExports()

process.on('SIGUSR2', () => gc!({ type: 'major', flavor: 'last-resort' } as never))
