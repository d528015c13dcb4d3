import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateKeyPairSigner, getBase64Encoder, type Instruction, type KeyPairSigner } from '@solana/kit'
import { getTransferCheckedInstruction } from '@solana-program/token'
import type { Address, Chain, Commitment, Signature, Wire } from '#server/chain/port.ts'
import { connectChain } from '#server/chain/solana.ts'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import { askLocalFaucet } from '#server/chain/ask-local-chain.ts'
import { startLocalChain, type LocalChain } from './run-local-chain.ts'

const ONE_SOL = 1_000_000_000n
const ORDER: Commitment[] = ['processed', 'confirmed', 'finalized']

/** A fast local chain in its own folder, for tests. */
export type TestChain = LocalChain & {
  dir: string
  chain: Chain
  /** Sends test $COTTON and SOL to an address. Resolves when that is finalized. */
  give(owner: Address, gift: { baseUnits?: bigint; lamports?: bigint }): Promise<Signature>
  /** A new wallet with 1 SOL and this many base units of $COTTON. */
  wallet(baseUnits?: bigint): Promise<KeyPairSigner>
  /** Resolves when the transaction, succeeded or failed, has reached this commitment. */
  until(signature: Signature, commitment: Commitment): Promise<void>
  /** Transfers this many base units of $COTTON between the derived accounts of two owners. */
  transfer(from: KeyPairSigner, to: Address, amount: bigint): Promise<Instruction>
  /** Signs, sends without preflight and waits until it is finalized. */
  run(payer: KeyPairSigner, instructions: Instruction[]): Promise<Signature>
}

/** Starts a test chain. `stop` also removes its folder, unless the caller passed the folder. */
export async function startTestChain(
  options: { slotMs?: number; finalDepth?: number; dir?: string } = {},
): Promise<TestChain> {
  const { slotMs = 10, finalDepth = 3 } = options
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'local-chain-'))
  const local = await startLocalChain({ dir, port: 0, slotMs, finalDepth })
  const chain = await connectChain({ isOwnChain: true, rpcUrls: [local.url] })

  const until = async (signature: Signature, commitment: Commitment) => {
    for (let tries = 0; tries < 1000; tries++) {
      const [status] = await chain.statuses([signature])
      if (status && ORDER.indexOf(status.commitment) >= ORDER.indexOf(commitment)) return
      await sleep(slotMs)
    }
    assert.fail(`${signature} never became ${commitment}`)
  }
  const give: TestChain['give'] = async (owner, { baseUnits = 0n, lamports = 0n }) => {
    const [signature] = await askLocalFaucet(local.url, { owner, baseUnits, lamports })
    await until(signature!, 'finalized')
    return signature!
  }
  return {
    ...local,
    dir,
    chain,
    until,
    give,
    wallet: async (baseUnits = 0n) => {
      const wallet = await generateKeyPairSigner()
      await give(wallet.address, { baseUnits, lamports: ONE_SOL })
      return wallet
    },
    transfer: async (from, to, amount) => {
      const { mint, decimals } = chain.facts
      const [source, destination] = await Promise.all([
        chain.tokenAccountOf(from.address),
        chain.tokenAccountOf(to),
      ])
      return getTransferCheckedInstruction({ source, mint, destination, authority: from, amount, decimals })
    },
    run: async (payer, instructions) => {
      const lifetime = await chain.latestBlockhash('confirmed')
      const { wire, signature } = await signWithBlockhash(payer, lifetime, instructions)
      const sent = await chain.send(wire, { skipPreflight: true })
      assert.equal(sent.state, 'accepted')
      await until(signature, 'finalized')
      return signature
    },
    stop: async () => {
      await local.stop()
      if (options.dir === undefined) rmSync(dir, { recursive: true })
    },
  }
}

/** Signs a transaction with one signer, as a wallet does. */
export async function signByWallet(wallet: KeyPairSigner, wire: Wire): Promise<Wire> {
  const bytes = Uint8Array.from(getBase64Encoder().encode(wire))
  const signature = await crypto.subtle.sign('Ed25519', wallet.keyPair.privateKey, bytes.slice(65))
  bytes.set(new Uint8Array(signature), 1)
  return Buffer.from(bytes).toString('base64') as Wire
}
