import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeyPairSigner } from '@solana/kit'
import { askLocalFaucet } from '#server/chain/ask-local-chain.ts'
import type { Signature } from '#server/chain/port.ts'
import { connectChain } from '#server/chain/solana.ts'
import type { ProductEdit } from '#tests/cluster/cluster-mutants.ts'
import { judgeMemory } from './trend.ts'

/** How often memory is measured. */
const SAMPLES = 20
/** Growth below this share of the median over the whole time is called flat, even if it is significant. */
const TOLERANCE = 0.05
const OWNERS = 6
/** A page of a history is read once in so many transactions, as the watcher does. */
const HISTORY_EVERY = 20
/** A transaction is read when so many more were sent. By then it is confirmed. */
const READ_AFTER = 100
const MB = 1024 * 1024

/** Keeps every transaction in memory. The measurement has to notice it. */
export const CHAIN_LEAK: ProductEdit = {
  file: 'local-chain/local-ledger.ts',
  find: "    if ('rejected' in result) return result.rejected\n",
  replace: `    if ('rejected' in result) return result.rejected
    ;((globalThis as { leaked?: unknown[] }).leaked ??= []).push(result, 'x'.repeat(20_000).split(''))\n`,
}

export type ChainMemory = { megabytes: number[]; verdict: ReturnType<typeof judgeMemory> }

/**
 * Sends this many transfers of tokens to a local chain, reads each as the game does, and measures the memory of the chain at
 * equal distances. The first value does not count: code is compiled, and caches fill.
 */
export async function measureChainMemory(
  transactions: number,
  edits: readonly ProductEdit[] = [],
): Promise<ChainMemory> {
  const dir = mkdtempSync(join(tmpdir(), 'chain-memory-'))
  const hook = join(import.meta.dirname, '../cluster/load-mutant.ts')
  const child = fork(join(import.meta.dirname, 'serve-measured-chain.ts'), [dir], {
    execArgv: ['--expose-gc', '--no-warnings', ...(edits.length > 0 ? [`--import=${hook}`] : [])],
    env: { ...process.env, PRODUCT_EDITS: JSON.stringify(edits) },
  })
  const ended = once(child, 'exit')
  // A chain that leaks may run out of memory.
  const died = ended.then((): never => {
    throw new Error('The local chain has ended.')
  })
  died.catch(() => undefined)
  try {
    const [url] = (await Promise.race([once(child, 'message'), died])) as [string]
    const play = await createTraffic(url)
    const megabytes: number[] = []
    while (megabytes.length < SAMPLES) {
      for (let sent = 0; sent < transactions / SAMPLES; sent++) await play()
      child.send('measure')
      const [bytes] = (await Promise.race([once(child, 'message'), died])) as [number]
      megabytes.push(bytes / MB)
    }
    return { megabytes, verdict: judgeMemory(megabytes.slice(1), TOLERANCE) }
  } finally {
    child.kill('SIGKILL')
    await ended
    rmSync(dir, { recursive: true })
  }
}

/** Each call sends tokens to one of a few owners, and reads older transactions as the watcher and the signer read theirs. */
async function createTraffic(url: string): Promise<() => Promise<void>> {
  const chain = await connectChain({ isOwnChain: true, rpcUrls: [url] })
  const owners = await Promise.all(
    Array.from({ length: OWNERS }, async () => {
      const { address: owner } = await generateKeyPairSigner()
      return { owner, tokenAccount: await chain.tokenAccountOf(owner) }
    }),
  )
  const unread: { signature: Signature; of: (typeof owners)[number] }[] = []
  let sent = 0
  return async () => {
    const of = owners[sent++ % OWNERS]!
    const [signature] = await askLocalFaucet(url, { owner: of.owner, baseUnits: 1n, lamports: 0n })
    if (unread.push({ signature: signature!, of }) <= READ_AFTER) return
    const oldest = unread.shift()!
    await chain.statuses([oldest.signature])
    const receipt = await chain.receipt(oldest.signature, oldest.of, 'confirmed')
    if (receipt?.amount !== 1n) throw new Error(`${oldest.signature} is not confirmed`)
    if (sent % HISTORY_EVERY !== 0) return
    await chain.history(of.tokenAccount, { limit: 100, commitment: 'confirmed' })
    await chain.tokenAccounts(owners.map(({ tokenAccount }) => tokenAccount))
  }
}
