import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeyPairSigner, type Instruction, type KeyPairSigner } from '@solana/kit'
import { getAddMemoInstruction, LEGACY_MEMO_PROGRAM_ADDRESS_V3 } from '@solana-program/memo'
import { getTransferSolInstruction } from '@solana-program/system'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Address, Chain, Signature, Wire } from '#server/chain/port.ts'
import { connectChain } from '#server/chain/solana.ts'
import {
  buildNonceAccount,
  buildPayout,
  NONCE_ACCOUNT_BYTES,
  signWithBlockhash,
} from '#server/chain/transactions.ts'
import { askLocalFaucet } from '#server/chain/ask-local-chain.ts'
import { startLocalChain } from './run-local-chain.ts'
import { startTestChain } from './test-chain.ts'

let dir: string
const children: ChildProcess[] = []

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'local-chain-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(dir, { recursive: true })
})

const pay = (from: KeyPairSigner, to: Address, memo: string): Instruction[] => [
  getTransferSolInstruction({ source: from, destination: to, amount: 1_000_000n }),
  getAddMemoInstruction({ memo }, { programAddress: LEGACY_MEMO_PROGRAM_ADDRESS_V3 }),
]

test('a restart preserves facts, balances, histories, blockhashes and nonces', async () => {
  const first = await startTestChain({ dir })
  const [treasury, other] = [await first.wallet(500n), await first.wallet()]
  const nonceAccount = await generateKeyPairSigner()
  const rent = await first.chain.rentFor(NONCE_ACCOUNT_BYTES)
  const lifetime = await first.chain.latestBlockhash('confirmed')
  const made = await buildNonceAccount({ nonceAccount, treasury, rent, lifetime })
  await first.chain.send(made.wire)
  await first.until(made.signature, 'finalized')
  const nonce = (await first.chain.nonceValue(nonceAccount.address, 'finalized'))!
  const lane = { nonceAccount: nonceAccount.address, nonce }
  const payout = { token: first.chain.facts, treasury, lane, wallet: other.address }
  const [paid, rival] = await Promise.all([
    buildPayout({ ...payout, amount: 40n, id: '1' }),
    buildPayout({ ...payout, amount: 41n, id: '2' }),
  ])
  const lifetimeBefore = await first.chain.latestBlockhash('confirmed')
  await first.chain.send(paid.wire) // not final when the chain stops
  const slot = await first.chain.slot('processed')
  await first.stop()

  const second = await startTestChain({ dir })
  try {
    const { chain } = second
    expect(chain.facts).toEqual(first.chain.facts)
    expect(await chain.slot('finalized')).toBeGreaterThanOrEqual(slot)
    expect(await chain.statuses([made.signature, paid.signature, rival.signature])).toMatchObject([
      { failed: false, commitment: 'finalized' },
      { failed: false, commitment: 'finalized' },
      null,
    ])
    const account = await chain.tokenAccountOf(treasury.address)
    expect(await chain.tokenBalance(account, 'finalized')).toBe(460n)
    const [newest] = await chain.history(account, { limit: 1, commitment: 'finalized' })
    expect(newest).toMatchObject({ signature: paid.signature, memo: '[3] w:1' })
    const of = { owner: treasury.address, tokenAccount: account }
    expect(await chain.receipt(paid.signature, of, 'finalized')).toMatchObject({ amount: -40n })
    expect(await chain.send(paid.wire)).toMatchObject({ reason: 'already_processed' })
    expect(await chain.send(rival.wire)).toMatchObject({ reason: 'lifetime_over' })
    const late = await signWithBlockhash(treasury, lifetimeBefore, pay(treasury, other.address, 'late'))
    expect(await chain.send(late.wire)).toEqual({ state: 'accepted', signature: late.signature })
    const next = (await chain.nonceValue(nonceAccount.address, 'finalized'))!
    const again = await buildPayout({ ...payout, lane: { ...lane, nonce: next }, amount: 1n, id: '3' })
    expect(await chain.send(again.wire)).toMatchObject({ state: 'accepted' })
  } finally {
    await second.stop()
  }
})

test('no nonce value repeats, whether payouts fail or succeed, also after restarts', async () => {
  const [treasury, nonceAccount] = [await generateKeyPairSigner(), await generateKeyPairSigner()]
  const values: string[] = []
  for (let start = 0; start < 3; start++) {
    const world = await startTestChain({ dir })
    const { chain } = world
    if (start === 0) {
      await world.give(treasury.address, { lamports: 1_000_000_000n, baseUnits: 100n })
      const rent = await chain.rentFor(NONCE_ACCOUNT_BYTES)
      const lifetime = await chain.latestBlockhash('confirmed')
      await chain.send((await buildNonceAccount({ nonceAccount, treasury, rent, lifetime })).wire)
    }
    for (const amount of [1_000n, 1n, 1_000n, 1n]) {
      const nonce = (await chain.nonceValue(nonceAccount.address, 'processed'))!
      values.push(nonce)
      const lane = { nonceAccount: nonceAccount.address, nonce }
      const payout = { token: chain.facts, treasury, lane, wallet: treasury.address, id: '1' }
      const { wire, signature } = await buildPayout({ ...payout, amount })
      await chain.send(wire, { skipPreflight: true })
      expect(await chain.statuses([signature])).toMatchObject([{ failed: amount === 1_000n }])
    }
    await world.stop()
  }
  expect(new Set(values).size).toBe(12)
})

test('kill -9 under load loses no acknowledged transaction and leaves none partially applied', async () => {
  const recipient = (await generateKeyPairSigner()).address
  const payer = await generateKeyPairSigner()
  const tried: { signature: Signature; wire: Wire }[] = []
  const answered = new Set<Signature>()
  let genesisHash: string | null = null
  for (let round = 0; round < 3; round++) {
    const { child, chain, url } = await spawnChain()
    genesisHash ??= chain.facts.genesisHash
    expect(chain.facts.genesisHash).toBe(genesisHash)
    if (round === 0) await askLocalFaucet(url, { owner: payer.address, baseUnits: 0n, lamports: 10n ** 12n })
    await checkDurable(chain, { recipient, tried, answered })
    const enough = answered.size + 60
    const load = Array.from({ length: 8 }, async (_, lane) => {
      for (let i = 0; child.exitCode === null && child.signalCode === null; i++) {
        const lifetime = await chain.latestBlockhash('processed').catch(() => null)
        if (lifetime === null) return
        const one = await signWithBlockhash(payer, lifetime, pay(payer, recipient, `${round} ${lane} ${i}`))
        tried.push(one)
        const sent = await chain.send(one.wire)
        if (sent.state === 'accepted') answered.add(sent.signature)
        if (answered.size >= enough) child.kill('SIGKILL')
      }
    })
    await Promise.all(load)
    expect(answered.size).toBeGreaterThanOrEqual(enough)
  }
  const { chain } = await spawnChain()
  await checkDurable(chain, { recipient, tried, answered })
})

async function checkDurable(
  chain: Chain,
  {
    recipient,
    tried,
    answered,
  }: { recipient: Address; tried: { signature: Signature }[]; answered: Set<Signature> },
): Promise<void> {
  const statuses = await chain.statuses(tried.map(({ signature }) => signature))
  const landed = tried.filter((_, i) => statuses[i] !== null).map(({ signature }) => signature)
  expect(statuses.every((status) => status === null || !status.failed)).toBe(true)
  expect([...answered].filter((signature) => !landed.includes(signature))).toEqual([])
  expect(await chain.lamports(recipient, 'processed')).toBe(BigInt(landed.length) * 1_000_000n)
  const listed = await chain.history(recipient, { limit: 1000, commitment: 'confirmed' })
  expect(new Set(listed.map(({ signature }) => signature))).toEqual(new Set(landed))
}

async function spawnChain(): Promise<{ child: ChildProcess; chain: Chain; url: string }> {
  const program = `
    import { startLocalChain } from ${JSON.stringify(new URL('run-local-chain.ts', import.meta.url).href)}
    const { url } = await startLocalChain({ dir: ${JSON.stringify(dir)}, port: 0, slotMs: 20, finalDepth: 3 })
    console.log(url)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  const url = line.toString().trim()
  return { child, url, chain: await connectChain({ isOwnChain: true, rpcUrls: [url], timeoutMs: 2_000 }) }
}

test('a second chain on the same folder is refused, and the first continues', async () => {
  const first = await startTestChain({ dir })
  try {
    await expect(startLocalChain({ dir, port: 0 })).rejects.toThrow(/^Another local chain is running on /)
    expect(await first.chain.slot('processed')).toBeGreaterThan(0n)
  } finally {
    await first.stop()
  }
})

test('a port in use stops the start and releases the folder', async () => {
  const first = await startTestChain()
  try {
    const port = Number(new URL(first.url).port)
    await expect(startLocalChain({ dir, port })).rejects.toThrow(`Port ${port} is in use`)
    await (await startTestChain({ dir })).stop()
  } finally {
    await first.stop()
  }
})
