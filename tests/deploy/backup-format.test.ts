/** @module-tag variant */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { checkArchive } from '#server/backup/check-archive.ts'
import { readIdentities } from '#server/backup/read-identities.ts'
import { takeBackup } from '#server/backup/take-backup.ts'
import { readConfig } from '#server/platform/config.ts'
import { test } from '#tests/support/test-world.ts'
import { unpackDebianProgram } from './debian-program.ts'

test('age, zstd and tar of Debian read an encrypted backup without the game', async ({ world, skip }) => {
  const age = unpackDebianProgram(['age'], 'usr/bin/age')
  const zstd = unpackDebianProgram(['zstd'], 'usr/bin/zstd')
  if (!age || !zstd) return skip('age and zstd of Debian cannot be downloaded here')
  const dir = mkdtempSync(join(tmpdir(), 'cotton-farm-format-'))
  try {
    const keyFile = join(dir, 'backup.key')
    const made = spawnSync(join(dirname(age.path), 'age-keygen'), ['-o', keyFile], { encoding: 'utf8' })
    const recipient = /age1\S+/.exec(made.stderr)?.[0] ?? ''
    expect(readConfig({ BACKUP_RECIPIENT: recipient }).backupRecipient).toBe(recipient)
    const file = join(dir, 'a.tar.zst.age')
    const player = await world.player({ deposited: 5 })
    const options = { url: world.url, dataDir: dir, file, recipient, release: '0.1.0', onProgress: () => {} }
    const { manifest } = await takeBackup(options)
    const script = '"$1" -d -i "$2" "$3" | "$4" -d | tar -x -C "$5"'
    const args = ['-e', '-o', 'pipefail', '-c', script, 'bash', age.path, keyFile, file, zstd.path, dir]
    const env = { PATH: process.env.PATH, ...zstd.env }
    const read = spawnSync('bash', args, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] })
    expect([read.status, read.stderr]).toEqual([0, ''])
    expect(JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'))).toEqual(manifest)
    expect(readFileSync(join(dir, 'tables/accounts/000001.copy'), 'utf8')).toContain(
      `${player.wallet}\tdeposited\t5000000\t`,
    )
    expect(await checkArchive({ path: file, identities: readIdentities(keyFile) })).toEqual(manifest)
  } finally {
    rmSync(dir, { recursive: true })
  }
})
