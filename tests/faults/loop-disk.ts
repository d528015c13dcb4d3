import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom, type Random } from '#tests/simulation/random.ts'
import { CachedDisk } from './cached-disk.ts'

// EXT4_IOC_SHUTDOWN with the flag NOLOGFLUSH: from now on nothing reaches the disk, not even the journal.
const SHUT_DOWN = `open(F, '<', $ARGV[0]) && ioctl(F, 0x8004587D, my $flags = pack('L', 2)) or die "$!\\n"`
const PROBE = 'written-before-the-cut'
/** What a program complains about is in the error. */
const QUIETLY = { stdio: 'pipe' } as const

export type LoopDiskOptions = {
  /** As `truncate` understands it. */
  size?: string
  /** A disk with a volatile write cache, of which a cut loses any sectors. Without it a cut loses what was not synced. */
  hasCache?: boolean
  /** Of what the cache loses. */
  random?: Random
}

/** An ext4 file system in an image, which can lose its power. Needs root. */
export class LoopDisk {
  /** Where it is mounted. */
  readonly folder: string
  /** How often a file that was written just before a cut, and not synced, was gone afterwards. */
  readonly probes = { gone: 0, remained: 0 }
  readonly #home: string
  readonly hasCache: boolean
  readonly #random: Random
  #image = 0
  #cached: CachedDisk | null = null

  constructor({ size = '3G', hasCache = false, random = createRandom(1) }: LoopDiskOptions = {}) {
    this.hasCache = hasCache
    this.#random = random
    // In memory, so that a cut takes less time. What counts is what the file system has passed on.
    this.#home = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'cotton-farm-disk-'))
    chmodSync(this.#home, 0o755)
    this.folder = join(this.#home, 'mounted')
    mkdirSync(this.folder)
    try {
      execFileSync('truncate', ['-s', size, this.#path()], QUIETLY)
      execFileSync('mkfs.ext4', ['-q', this.#path()], QUIETLY)
      this.#mount()
    } catch (error) {
      this.remove()
      throw error
    }
  }

  /** Everything that was not synced is lost, or with a cache any part of it. */
  cut(): void {
    writeFileSync(join(this.folder, PROBE), PROBE)
    this.#cached?.cut(this.#random.between(1, 2 ** 31))
    execFileSync('perl', ['-e', SHUT_DOWN, this.folder], QUIETLY)
  }

  /** Mounts what has reached the disk, as another disk: processes may still have files of the old one open. */
  remount(): void {
    const old = this.#path()
    this.#unmount()
    this.#image += 1
    execFileSync('cp', ['--sparse=always', old, this.#path()], QUIETLY)
    rmSync(old)
    this.#mount()
    const probe = join(this.folder, PROBE)
    const remains = existsSync(probe) && readFileSync(probe, 'utf8') === PROBE
    this.probes[remains ? 'remained' : 'gone'] += 1
    rmSync(probe, { force: true })
  }

  remove(): void {
    this.#unmount()
    rmSync(this.#home, { recursive: true, force: true })
  }

  #mount(): void {
    if (this.hasCache) this.#cached = new CachedDisk(this.#path())
    execFileSync('mount', ['-o', 'loop', this.#cached?.file ?? this.#path(), this.folder], QUIETLY)
  }

  #unmount(): void {
    spawnSync('umount', ['--lazy', this.folder])
    this.#cached?.remove()
  }

  #path(): string {
    return join(this.#home, `disk-${this.#image}`)
  }
}
