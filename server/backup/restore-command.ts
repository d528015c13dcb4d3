import { resolve } from 'node:path'
import type { Arguments } from '#server/ops/command.ts'
import { required } from '#server/ops/read-arguments.ts'
import type { FolderContext } from './backup-command.ts'
import type { Manifest } from './manifest.ts'
import { readIdentities } from './read-identities.ts'
import { restoreFolder } from './restore-folder.ts'

/** Makes a data folder from a backup, and says what it still needs. */
export async function runRestore(
  { config, say, onProgress, signal }: FolderContext,
  given: Arguments,
): Promise<void> {
  const into = resolve(required(given, 'into'))
  const identities = readIdentities(given.options.identity)
  const { databaseDirectUrl: databaseUrl } = config
  const path = resolve(given.positionals[0] ?? '')
  const env = process.env
  const manifest = await restoreFolder({ path, identities, into, databaseUrl, env, onProgress, signal })
  for (const line of nextSteps({ into, manifest, databaseUrl })) say(line)
}

type Restored = { into: string; manifest: Manifest; databaseUrl: string }

function nextSteps({ into, manifest: { world, moment, release }, databaseUrl }: Restored): string[] {
  const target = databaseUrl ? `${into} and the database of DATABASE_URL` : into
  return [
    `Restored into ${target}: everything until ${moment}, made by release ${release}.`,
    ...(world === null
      ? []
      : [
          `It belongs to the treasury ${world.treasury}. The seed is not in a backup. Copy it before you start:`,
          `- local chain: keys/signer.seed and secrets/signer-passphrase of the old data folder, with "cp -p", to the same names in ${into}`,
          '- any other chain: set SIGNER_SEED_FILE to the copy of your seed',
          `If the old folder still exists, copy its signed/payouts.log to ${into}/signed, too: it may be newer.`,
        ]),
    `The operators’ file is not in a backup, either. If operators.json was in the old folder, copy it to ${into}: without it nobody can approve.`,
    `Then follow docs/runbooks/backup-and-restore.md from "Pause withdrawals", with DATA_DIR=${into}.`,
  ]
}
