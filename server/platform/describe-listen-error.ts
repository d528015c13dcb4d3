import { errorCode } from './startup-error.ts'

/** Where a process cannot listen, and the settings that say so: that of the port, then that of the host if there is one. */
type Address = { host: string; port: number; settings: readonly [port: string, host?: string] }

/** Why a process cannot listen and what to do, in one sentence for the operator. */
export function describeListenError(error: unknown, { host, port, settings }: Address): string {
  const [setting] = settings
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return `Port ${port} is already taken: stop the program that uses it, or set ${setting} to another port.`
    case 'EACCES':
      return `Port ${port} may not be used by this user: set ${setting} to another port.`
    default:
      return `The address ${host}, port ${port} cannot be used (${errorCode(error)}): check ${settings.join(' and ')}.`
  }
}
