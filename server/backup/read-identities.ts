import { readFileSync } from 'node:fs'
import { Decrypter } from 'age-encryption'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'

/** The age identities in a file: one a line, as age-keygen writes it. Lines with # are comments. */
export function readIdentities(path: string | undefined): string[] {
  if (path === undefined) return []
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartupError(`The key file ${path} cannot be read (${errorCode(error)}): check --identity.`)
  }
  const identities = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const isIdentity = (line: string) => /^AGE-SECRET-KEY-(PQ-)?1[A-Z0-9]+$/.test(line)
  if (identities.length === 0 || !identities.every(isIdentity)) {
    throw new StartupError(
      `${path} is not a key file of age: it must contain a line that begins with AGE-SECRET-KEY-1.`,
    )
  }
  // Otherwise the backup, which cannot be opened, would count as damaged.
  if (!identities.every(hasValidChecksum))
    throw new StartupError(
      `${path} contains a key of age with a wrong or missing character: compare it with the original.`,
    )
  return identities
}

function hasValidChecksum(identity: string): boolean {
  try {
    new Decrypter().addIdentity(identity)
    return true
  } catch {
    return false
  }
}
