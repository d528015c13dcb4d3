import { spawnSync } from 'node:child_process'
import { chownSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { assert } from '#server/platform/assert.ts'
import { findPostgresUser } from '#server/processes/postgres/postgres-user.ts'

/** The folders of releases, `<version>.tar.zst`. */
const RELEASES = import.meta.dirname

// The databases of a cluster share most of their bytes, megabytes apart.
const WINDOW_LOG = 27

/** The versions of the kept folders. */
export const listReleases = (): string[] =>
  readdirSync(RELEASES).flatMap((name) => /^(\d+\.\d+\.\d+)\.tar\.zst$/.exec(name)?.[1] ?? [])

const archiveOf = (version: string): string => join(RELEASES, `${version}.tar.zst`)

/** Stores a data folder that nothing uses. Returns the size of the archive in bytes. */
export function packRelease(version: string, dataDir: string): number {
  const { status, stdout } = spawnSync(
    'tar',
    ['-C', dataDir, '--exclude=*.lock', '--exclude=postgres.log', '--owner=0', '--group=0', '-cf', '-', '.'],
    { maxBuffer: 1e9 },
  )
  assert(status === 0, 'tar packs the folder')
  const packed = zstdCompressSync(stdout, {
    params: {
      [constants.ZSTD_c_compressionLevel]: 19,
      [constants.ZSTD_c_enableLongDistanceMatching]: 1,
      [constants.ZSTD_c_windowLog]: WINDOW_LOG,
    },
  })
  writeFileSync(archiveOf(version), packed)
  return packed.length
}

/** Unpacks a kept folder into an empty one. */
export function unpackRelease(version: string, dataDir: string): void {
  const params = { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG }
  const input = zstdDecompressSync(readFileSync(archiveOf(version)), { params })
  const { status } = spawnSync('tar', ['-C', dataDir, '-xf', '-', '--no-same-owner'], { input })
  assert(status === 0, 'tar unpacks the archive')
  const { uid, gid } = findPostgresUser()
  if (uid === undefined || gid === undefined) return
  const cluster = join(dataDir, 'postgres')
  for (const name of ['', ...readdirSync(cluster, { recursive: true, encoding: 'utf8' })])
    chownSync(join(cluster, name), uid, gid)
}

export const removeFolder = (dataDir: string): void => rmSync(dataDir, { recursive: true, force: true })
