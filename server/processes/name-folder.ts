import { statSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Names a folder among those of all machines. The path and the name of the machine do not suffice: many machines are called
 * `localhost`, and containers may share the name of theirs.
 */
export function nameFolder(dir: string): string {
  const { ino, birthtimeNs } = statSync(dir, { bigint: true })
  return `${hostname()}:${ino}:${birthtimeNs}:${dir}`
}
