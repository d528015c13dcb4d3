import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode, StartupError } from './startup-error.ts'
import { syncFolder } from './sync-folder.ts'

/** The secret stored in `dir/name`, undefined if there is none. A `StartupError` if it cannot be read, or is empty. */
export function readSecret(dir: string, name: string): string | undefined {
  const path = join(dir, name)
  let secret: string
  try {
    secret = readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new StartupError(
      `${path} cannot be read (${errorCode(error)}): it must be a file of the user that runs the game.`,
    )
  }
  // An unfinished copy, for example. No login works with an empty password.
  if (secret === '')
    throw new StartupError(
      `${path} is empty: put its content back, for example from a copy of the data folder.`,
    )
  return secret
}

/** The secret stored in `dir/name`. The first call creates it: 192 random bits, readable by this user only. */
export function readOrMakeSecret(dir: string, name: string): string {
  const known = readSecret(dir, name)
  if (known !== undefined) return known
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const draft = join(dir, `.${name}-${process.pid}-${randomBytes(4).toString('hex')}`)
  try {
    writeFileSync(draft, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true })
    // Unlike a rename, a link fails if another process was first. Its secret is used then.
    linkSync(draft, join(dir, name))
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    // A full disk leaves a part of it, or nothing.
    rmSync(draft, { force: true })
  }
  syncFolder(dir)
  return readFileSync(join(dir, name), 'utf8').trim()
}
