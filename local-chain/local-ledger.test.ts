import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateKeyPairSigner, lamports } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Address } from '#server/chain/port.ts'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import { systemClock } from '#server/platform/clock.ts'
import { lamportsOf } from './virtual-machine.ts'
import { LocalLedger } from './local-ledger.ts'
import { callMethod, createRpcMethods } from './rpc-methods.ts'
import { startTestChain } from './test-chain.ts'
import { openTestToken } from './test-token.ts'

const LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111' as Address

let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'local-chain-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

test('a transaction that cannot be written to disk is not executed', async () => {
  const ledger = new LocalLedger({ dir, finalDepth: 3, clock: systemClock })
  const token = await openTestToken(ledger)
  const owner = (await generateKeyPairSigner()).address
  const balance = () => lamportsOf(ledger.account(owner, 'processed'))
  const request = { owner, baseUnits: 0n, lamports: 2_000_000n }
  await token.give(request)
  const count = ledger.store.count()
  const full = vi.spyOn(ledger.store, 'append').mockImplementation(() => {
    throw new Error('database or disk is full')
  })
  await expect(token.give(request)).rejects.toThrow('disk is full')
  expect([balance(), ledger.store.count()]).toEqual([2_000_000n, count])
  full.mockRestore()
  await token.give(request)
  expect([balance(), ledger.store.count()]).toEqual([4_000_000n, count + 1n])
  ledger.close()
})

test('a restart loads a deployed program after the account that contains its code', async () => {
  const ledger = new LocalLedger({ dir, finalDepth: 3, clock: systemClock })
  const [program, code] = [await generateKeyPairSigner(), await generateKeyPairSigner()]
  const save = (address: Address, executable: boolean) => {
    const account = { address, executable, lamports: lamports(1n), programAddress: LOADER, space: 0n }
    ledger.store.saveAccount({ ...account, exists: true, data: new Uint8Array() })
  }
  // A deployment stores the program first, because the program signs.
  save(program.address, true)
  save(code.address, false)
  expect([...ledger.store.accounts()].map((account) => account.address)).toEqual([
    code.address,
    program.address,
  ])
  ledger.close()
})

test('a wallet may send with the slot at which it read the blockhash as the minimum', async () => {
  const ledger = new LocalLedger({ dir, finalDepth: 3, clock: systemClock })
  const token = await openTestToken(ledger)
  const methods = createRpcMethods(ledger, token)
  const wallet = await generateKeyPairSigner()
  await token.give({ owner: wallet.address, baseUnits: 0n, lamports: 1_000_000_000n })
  const minContextSlot = Number(ledger.blocks.slot('confirmed'))
  const lifetime = ledger.blocks.latestBlockhash('confirmed')
  const send = async (amount: bigint, config: object) => {
    const transfer = getTransferSolInstruction({ source: wallet, destination: wallet.address, amount })
    const { wire } = await signWithBlockhash(wallet, lifetime, [transfer])
    const params = [wire, { encoding: 'base64', minContextSlot, ...config }]
    return callMethod(ledger, methods, { method: 'sendTransaction', params })
  }
  expect(await send(1n, { preflightCommitment: 'confirmed' })).toEqual(expect.any(String))
  expect(await send(2n, { skipPreflight: true })).toEqual(expect.any(String))
  await expect(send(3n, { preflightCommitment: 'finalized' })).rejects.toMatchObject({ code: -32_016 })
  await expect(send(4n, {})).rejects.toMatchObject({ code: -32_016 })
  ledger.close()
})

test('block production stops without requests and resumes with the next one', async () => {
  const produced = vi.spyOn(LocalLedger.prototype, 'nextBlock')
  const world = await startTestChain({ dir, slotMs: 1 })
  try {
    const first = await world.chain.slot('processed')
    // Wait until the production has stopped. While it goes on, there is a new block after each wait, also on a busy machine.
    for (let seen = -1; produced.mock.calls.length > seen; await sleep(50)) seen = produced.mock.calls.length
    const second = await world.chain.slot('processed')
    expect(second - first).toBeGreaterThan(100n)
    expect(second - first).toBeLessThanOrEqual(201n)
    await sleep(50)
    expect(await world.chain.slot('processed')).toBeGreaterThan(second)
  } finally {
    await world.stop()
  }
})
