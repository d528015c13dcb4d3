import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, 'serve-cached-disk.ts')
const TRY_MS = 20
/** Two processors that are busy take a while to start a program. */
const MOST_TRIES = 1500

/**
 * A disk with a volatile write cache. What is flushed reaches the image. Of what is not, a cut loses any sectors, so it writes
 * them in any order. Needs root.
 */
export class CachedDisk {
  /** The disk itself, which a loop device can use. */
  readonly file: string
  readonly #folder: string
  readonly #current: string

  /** `image` is what reaches the disk. Everything else is next to it. */
  constructor(image: string) {
    this.#folder = `${image}-served`
    this.#current = `${image}-current`
    this.file = join(this.#folder, 'disk')
    mkdirSync(this.#folder)
    execFileSync('cp', ['--sparse=always', image, this.#current])
    const served = spawn(process.execPath, [PROGRAM, image, this.#current, this.#folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
      detached: true,
    })
    served.unref()
    for (let tries = 0; !existsSync(this.file); tries++) {
      if (tries > MOST_TRIES) throw new Error('the disk with a cache did not start')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TRY_MS)
    }
  }

  /** Ends the power. `seed` decides which sectors are lost. */
  cut(seed: number): void {
    try {
      writeFileSync(join(this.#folder, 'cut'), String(seed))
    } catch {
      // It no longer answers.
    }
  }

  /** Removes everything but the image. */
  remove(): void {
    spawnSync('umount', ['--lazy', this.#folder])
    rmSync(this.#current, { force: true })
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
