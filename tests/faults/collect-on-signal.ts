import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Loaded into the supervisor by `--import`: it and the roles that it starts collect all garbage at the signal SIGUSR2, and
 * return its pages to the system. The inspector cannot do that, because a confined role has none, and a confined role can
 * read no file of the tests, so what it loads is an address with the code.
 */
const collect = `process.on('SIGUSR2', () => gc({ type: 'major', flavor: 'last-resort' }))`
const address = `data:text/javascript,${encodeURIComponent(collect)}`
const flags = ['--expose-gc', `--import=${address}`]

const { fork } = childProcess
childProcess.fork = (path: string | URL, args?: unknown, options?: childProcess.ForkOptions) =>
  fork(path, args as string[], { ...options, execArgv: [...flags, ...(options?.execArgv ?? [])] })
syncBuiltinESMExports()

await import(address)
