import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode, StartProblem } from '#server/platform/start-problem.ts'

const SEED_BYTES = 64

type Sources = { dataDir: string; localChain: boolean; env: NodeJS.ProcessEnv }

/**
 * The seed from which every key of the game grows: 64 bytes, in hex. `SIGNER_SEED_FILE` names its file, `SIGNER_SEED`
 * is the seed itself; on the local chain it is made at the first start. Refuses to start without one elsewhere: keys
 * that hold real tokens are made, and backed up, by a person.
 */
export function readMasterSeed({ dataDir, localChain, env }: Sources): Uint8Array {
  const { SIGNER_SEED_FILE: file, SIGNER_SEED: given } = env
  // What is started from here has no business with it.
  delete env.SIGNER_SEED
  if (file) return parsed(readGiven(file), `SIGNER_SEED_FILE (${file})`)
  if (given) return parsed(given, 'SIGNER_SEED')
  if (!localChain) {
    throw new StartProblem(
      'SIGNER_SEED_FILE is missing: name a file (mode 0400) that holds 64 random bytes in hex, and keep a copy of it.',
    )
  }
  const path = join(dataDir, 'keys', 'signer.seed')
  return parsed(readIfThere(path) ?? make(path), path)
}

function readGiven(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartProblem(`SIGNER_SEED_FILE cannot be read: ${path} (${errorCode(error)}).`)
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Written beside and then linked, so that a crash leaves a whole seed or none, and two starts agree on one. */
function make(path: string): string {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, randomBytes(SEED_BYTES).toString('hex'), { mode: 0o400, flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(path, 'utf8')
}

function parsed(text: string, name: string): Uint8Array {
  const hex = text.trim()
  if (!/^[0-9a-f]{128}$/i.test(hex)) throw new StartProblem(`${name} must hold ${SEED_BYTES} bytes in hex.`)
  return Uint8Array.from(Buffer.from(hex, 'hex'))
}
