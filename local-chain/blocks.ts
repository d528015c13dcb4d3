import { createHash } from 'node:crypto'
import { getBase58Decoder } from '@solana/kit'
import type { Blockhash, BlockhashLifetime, Commitment } from '#server/chain/port.ts'

/** A blockhash is valid for 150 blocks after its own (Solana: `MAX_PROCESSING_AGE`). */
const BLOCKHASH_LIFE = 150n

/** Slots are ahead of heights, as on a chain with skipped slots, so that code cannot confuse the two. */
const SLOTS_AHEAD_OF_HEIGHT = 447_552_000n

/** The first block is high enough that every blockhash of the window exists. */
export const FIRST_HEIGHT = 2n * BLOCKHASH_LIFE

/** The sequence of blocks: heights, slots, commitments and blockhashes, without their contents. */
export class Blocks {
  readonly genesisHash: string
  /** Slots until a block is finalized. */
  readonly finalDepth: bigint
  readonly #secret: Uint8Array
  readonly #hashes = new Map<bigint, Blockhash>()
  readonly #heights = new Map<string, bigint>()
  #height: bigint

  /** Blockhashes are derived from the secret: the same ones after a restart, and different from every other chain's. */
  constructor(of: { secret: Uint8Array; height: bigint; finalDepth: number }) {
    this.#secret = of.secret
    this.finalDepth = BigInt(of.finalDepth)
    this.genesisHash = this.#hash('genesis')
    this.#height = of.height
    for (let height = of.height - 2n * BLOCKHASH_LIFE; height <= of.height; height++) this.#remember(height)
  }

  next(): void {
    this.#height++
    this.#remember(this.#height)
    const forgotten = this.#height - 2n * BLOCKHASH_LIFE - 1n
    const hash = this.#hashes.get(forgotten)
    if (hash === undefined) return
    this.#hashes.delete(forgotten)
    this.#heights.delete(hash)
  }

  height(commitment: Commitment = 'processed'): bigint {
    if (commitment === 'processed') return this.#height
    return this.#height - (commitment === 'confirmed' ? 1n : this.finalDepth)
  }

  slot(commitment: Commitment = 'processed'): bigint {
    return this.height(commitment) + SLOTS_AHEAD_OF_HEIGHT
  }

  commitmentOf(slot: bigint): Commitment {
    if (slot <= this.slot('finalized')) return 'finalized'
    return slot <= this.slot('confirmed') ? 'confirmed' : 'processed'
  }

  latestBlockhash(commitment: Commitment): BlockhashLifetime {
    const height = this.height(commitment)
    return { blockhash: this.#hashes.get(height)!, lastValidBlockHeight: height + BLOCKHASH_LIFE }
  }

  isUsable(blockhash: string, commitment: Commitment = 'processed'): boolean {
    const made = this.#heights.get(blockhash)
    const now = this.height(commitment)
    return made !== undefined && made <= now && now <= made + BLOCKHASH_LIFE
  }

  /** The last 150 blocks before this one, newest first, as in the SlotHashes sysvar. */
  slotHashes(): { slot: bigint; hash: string }[] {
    const list: { slot: bigint; hash: string }[] = []
    for (let height = this.#height - 1n; height >= this.#height - BLOCKHASH_LIFE; height--)
      list.push({ slot: height + SLOTS_AHEAD_OF_HEIGHT, hash: this.#hashes.get(height)! })
    return list
  }

  #remember(height: bigint): void {
    const hash = this.#hash(height.toString())
    this.#hashes.set(height, hash)
    this.#heights.set(hash, height)
  }

  #hash(of: string): Blockhash {
    const digest = createHash('sha256').update(this.#secret).update(of).digest()
    return getBase58Decoder().decode(digest) as Blockhash
  }
}
