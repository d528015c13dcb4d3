import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readOperators } from '#server/operators/read-operators.ts'
import { readFreeBytes } from '#server/platform/read-free-bytes.ts'
import { errorCode } from '#server/platform/startup-error.ts'
import { type DoctorContext, type Finding, findingsOn } from './finding.ts'

/** Postgres stops when its disk is full, so this warns long before. */
const LITTLE_BYTES = 1e9
const SCARCE_BYTES = 5e9

/** The data folder, its secrets, the seed, and the free space. */
export function checkFiles({ config, env }: DoctorContext): Finding[] {
  const { dataDir } = config
  const files = findingsOn('files')
  if (!existsSync(dataDir)) {
    files.note(
      `the data folder ${dataDir} does not exist`,
      'the first start creates it; otherwise set DATA_DIR',
    )
    return [...files.found, ...checkSeed({ config, env })]
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    files.fix(`${dataDir} cannot be written`, `give it to the user of the game (uid ${process.getuid?.()})`)
  }
  const secrets = ['secrets', 'keys'].flatMap((name) => listFiles(join(dataDir, name), files))
  for (const file of secrets.filter(isReadByOthers))
    files.fix(`${file} can be read by others`, `chmod go= ${file}, and replace what it contains`)
  if (files.found.length === 0) files.ok(`${dataDir} can be written, and its secrets are private`)
  return [...files.found, ...checkSeed({ config, env }), ...checkOperators({ config }), ...checkDisk(dataDir)]
}

function checkSeed({ config, env }: Pick<DoctorContext, 'config' | 'env'>): Finding[] {
  const seed = findingsOn('seed')
  const user = findSignerUser(config.dataDir)
  const { SIGNER_SEED_FILE: file, SIGNER_SEED: inEnvironment, SIGNER_PASSPHRASE_FILE: passphrase } = env
  for (const [name, path] of Object.entries({ SIGNER_SEED_FILE: file, SIGNER_PASSPHRASE_FILE: passphrase })) {
    if (!path) continue
    if (!existsSync(path))
      seed.fix(`${name} is ${path}, which does not exist`, 'restore the file, or correct the setting')
    else if (isReadByOthers(path)) seed.fix(`${path} can be read by others`, `chmod 400 ${path}`)
    else if (user !== 0 && statSync(path).uid !== user)
      seed.fix(
        `${path} belongs to the user ${statSync(path).uid}, and the signer runs as ${user}`,
        `chown ${user} ${path}`,
      )
    else seed.ok(`${path} is readable by its owner only`)
  }
  if (inEnvironment)
    seed.note('it is in the environment', 'prefer SIGNER_SEED_FILE: other programs can read an environment')
  else if (!file && config.solanaRpcUrls.length > 0 && !config.localChain)
    seed.note(
      'SIGNER_SEED_FILE is not set here',
      'the signer needs it; run the doctor with the settings of the signer, too',
    )
  return seed.found
}

function checkOperators({ config }: Pick<DoctorContext, 'config'>): Finding[] {
  const found = findingsOn('operators')
  const { operatorsFile, solanaRpcUrls, localChain } = config
  const { problem, byWallet } = readOperators(operatorsFile)
  if (problem === null) found.ok(`${operatorsFile} names ${byWallet.size}`)
  else if (existsSync(operatorsFile)) found.fix(problem, 'see docs/runbooks/operators.md')
  else if (solanaRpcUrls.length > 0 && !localChain)
    found.note(
      `${operatorsFile} does not exist, so nobody can approve a withdrawal`,
      'name the first operator',
    )
  return found.found
}

function checkDisk(dataDir: string): Finding[] {
  const disk = findingsOn('disk')
  const free = readFreeBytes(dataDir)
  if (free === null) {
    disk.ok(`the disk of ${dataDir} does not say how much is free`)
    return disk.found
  }
  const what = `${(free / 1e9).toFixed(1)} GB are free for ${dataDir}`
  if (free < LITTLE_BYTES)
    disk.fix(what, 'free some space or enlarge the disk: Postgres stops when it is full')
  else if (free < SCARCE_BYTES) disk.note(what, 'enlarge the disk soon')
  else disk.ok(what)
  return disk.found
}

/**
 * The user that has made the folder of signed payouts, as the signer does. Before its first start that of the data folder or of
 * the doctor. Root, which is 0, reads every file.
 */
function findSignerUser(dataDir: string): number {
  const folder = [join(dataDir, 'signed'), dataDir].find((each) => existsSync(each))
  return folder ? statSync(folder).uid : (process.getuid?.() ?? 0)
}

const isReadByOthers = (path: string): boolean => (statSync(path).mode & 0o077) !== 0

function listFiles(folder: string, files: ReturnType<typeof findingsOn>): string[] {
  if (!existsSync(folder)) return []
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name))
  } catch (error) {
    files.fix(`${folder} cannot be listed (${errorCode(error)})`, 'run the doctor as the user of the game')
    return []
  }
}
