import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readOrMakeSecret } from '#server/platform/secrets.ts'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'
import { syncFolder } from '#server/platform/sync-folder.ts'
import { isSealed, openSeed, sealSeed } from './sealed-seed.ts'

const SEED_BYTES = 64

export type SeedSources = {
  dataDir: string
  localChain: boolean
  env: NodeJS.ProcessEnv
  /** The treasury that the database is bound to; null before the first start. */
  boundTreasury: string | null
}

/**
 * Reads the seed, 64 bytes, from which every key of the game is derived. `SIGNER_SEED_FILE` names its file, which
 * contains the seed in hex or sealed and must be readable by its owner only. `SIGNER_SEED` is the seed itself in hex.
 * On the local chain the seed is created at the first start and stored sealed in the data folder. The passphrase of a
 * sealed seed is `SIGNER_PASSPHRASE`, the content of `SIGNER_PASSPHRASE_FILE`, or a secret in another folder of the
 * data folder. On any other chain a missing seed is a startup error: a person creates and backs up keys of real tokens.
 * It is one as well if the database already belongs to a seed, as in a restored data folder.
 */
export function readMasterSeed({ dataDir, localChain, env, boundTreasury }: SeedSources): Uint8Array {
  const { SIGNER_SEED_FILE: file, SIGNER_SEED: hexSeed, SIGNER_PASSPHRASE: passphrase } = env
  // Child processes must not inherit them.
  delete env.SIGNER_SEED
  delete env.SIGNER_PASSPHRASE
  const ownSecret = join(dataDir, 'secrets', 'signer-passphrase')
  const secretFile = env.SIGNER_PASSPHRASE_FILE || ownSecret
  const readPassphrase = () => passphrase || readPrivate(secretFile, 'SIGNER_PASSPHRASE_FILE').trim()
  if (file)
    return decodeSeed(readPrivate(file, 'SIGNER_SEED_FILE'), {
      name: `SIGNER_SEED_FILE (${file})`,
      readPassphrase,
    })
  if (hexSeed) return parseHex(hexSeed, 'SIGNER_SEED')
  if (!localChain) {
    throw new StartupError(
      'SIGNER_SEED_FILE is missing: name a file (mode 0400) that contains 64 random bytes in hex, and back it up.',
    )
  }
  const path = join(dataDir, 'keys', 'signer.seed')
  if (boundTreasury !== null && !fileExists(path)) {
    throw new StartupError(
      `The seed of this game is missing, and a new one could not move the tokens of its treasury ${boundTreasury}: copy keys/signer.seed and secrets/signer-passphrase of the old data folder to ${dataDir}, with "cp -p". If the game ran with SOLANA_RPC_URL and SIGNER_SEED_FILE, set them again.`,
    )
  }
  const createPassphrase = () => {
    if (secretFile === ownSecret && !passphrase) readOrMakeSecret(dirname(ownSecret), 'signer-passphrase')
    return readPassphrase()
  }
  return readOrCreateSeed(path, { readPassphrase, createPassphrase })
}

type Passphrases = { readPassphrase(): string; createPassphrase(): string }

function readOrCreateSeed(path: string, { readPassphrase, createPassphrase }: Passphrases): Uint8Array {
  if (!fileExists(path)) {
    writeNewFile(path, sealSeed(randomBytes(SEED_BYTES), createPassphrase()))
  }
  const text = readPrivate(path, path)
  const seed = decodeSeed(text, { name: path, readPassphrase })
  // Earlier versions stored the seed in plain hex.
  if (!isSealed(text)) replaceFile(path, sealSeed(seed, createPassphrase()))
  return seed
}

function decodeSeed(
  text: string,
  { name, readPassphrase }: { name: string; readPassphrase(): string },
): Uint8Array {
  if (!isSealed(text)) return parseHex(text, name)
  const seed = openSeed(text, readPassphrase())
  if (seed?.length !== SEED_BYTES) {
    throw new StartupError(
      `${name} cannot be opened: restore the passphrase that it was sealed with (SIGNER_PASSPHRASE, SIGNER_PASSPHRASE_FILE or secrets/signer-passphrase in DATA_DIR).`,
    )
  }
  return seed
}

const fileExists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

/** Reads a file and refuses to start if anyone but its owner can read it. */
function readPrivate(path: string, name: string): string {
  try {
    const { mode } = statSync(path)
    if ((mode & 0o077) !== 0)
      throw new StartupError(
        `${path} can be read by others: chmod 400 it, and find out who may have read it.`,
      )
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(
      `${name === path ? 'The file' : name} cannot be read: ${path} (${errorCode(error)}). It must be a file of the user that runs the signer.`,
    )
  }
}

/** Writes a draft and links it, so that a crash leaves a complete seed or none, and two starts agree on one seed. */
function writeNewFile(path: string, text: string): void {
  const draft = writeDraft(path, text)
  try {
    linkSync(draft, path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  syncFolder(dirname(path))
}

function replaceFile(path: string, text: string): void {
  renameSync(writeDraft(path, text), path)
  syncFolder(dirname(path))
}

function writeDraft(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  // That of a start that was killed or found the disk full. Nobody may write it, and process ids recur in containers.
  rmSync(draft, { force: true })
  writeFileSync(draft, text, { mode: 0o400, flush: true })
  return draft
}

function parseHex(text: string, name: string): Uint8Array {
  const hex = text.trim()
  if (!/^[0-9a-f]{128}$/i.test(hex))
    throw new StartupError(`${name} must contain ${SEED_BYTES} bytes in hex.`)
  return Uint8Array.from(Buffer.from(hex, 'hex'))
}
