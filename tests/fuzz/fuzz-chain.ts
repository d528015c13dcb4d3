import * as fc from 'fast-check'
import { type Chain, ChainUnavailable, WrongChain } from '#server/chain/port.ts'
import { connectChain } from '#server/chain/solana.ts'
import { startTestChain, type TestChain } from '#local-chain/test-chain.ts'
import { damages, startHostileNode } from './damage-answers.ts'
import type { FuzzReport } from './fuzz-http.ts'

const isUnits = (value: unknown): boolean => typeof value === 'bigint'
const isTime = (value: unknown): boolean =>
  value === null || (value instanceof Date && !Number.isNaN(value.getTime()))
const isEach =
  (check: (each: never) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every((each) => check(each as never))

type Receipt = Awaited<ReturnType<Chain['receipt']>>

const isReceipt = (receipt: Receipt): boolean =>
  receipt === null ||
  (isUnits(receipt.slot) && isUnits(receipt.amount) && isUnits(receipt.lamports) && isTime(receipt.blockTime))

type Question = { name: string; ask(chain: Chain): Promise<unknown>; isAnswer(value: never): boolean }

/** What the game asks a node, and what it must get if it gets anything. */
async function questionsOf(world: TestChain): Promise<Question[]> {
  const { address: owner } = await world.wallet(5_000_000n)
  const signature = await world.give(owner, { baseUnits: 7n, lamports: 1_000_000n })
  const tokenAccount = await world.chain.tokenAccountOf(owner)
  const question = <T>(name: string, ask: (chain: Chain) => Promise<T>, isAnswer: (value: T) => boolean) => ({
    name,
    ask,
    isAnswer: isAnswer as (value: never) => boolean,
  })
  return [
    question('receipt', (chain) => chain.receipt(signature, { owner, tokenAccount }, 'finalized'), isReceipt),
    question(
      'node receipt',
      (chain) => chain.nodes[0]!.receipt(signature, { owner, tokenAccount }, 'finalized'),
      isReceipt,
    ),
    question(
      'cached receipt',
      (chain) => chain.createReceiptReader()(signature, { owner, tokenAccount }, 'finalized'),
      isReceipt,
    ),
    question('slot', (chain) => chain.slot('finalized'), isUnits),
    question('block height', (chain) => chain.blockHeight('finalized'), isUnits),
    question('balance', (chain) => chain.lamports(owner, 'finalized'), isUnits),
    question('rent', (chain) => chain.rentFor(165), isUnits),
    question('unit price', (chain) => chain.unitPrice([owner]), isUnits),
    question('token balance', (chain) => chain.tokenBalance(tokenAccount, 'finalized'), isUnits),
    question(
      'token balances',
      (chain) => chain.tokenBalances([tokenAccount, owner], { notBefore: 1n }),
      ({ slot, amounts }) => isUnits(slot) && amounts.every(isUnits),
    ),
    question(
      'token accounts',
      (chain) => chain.tokenAccounts([tokenAccount]),
      isEach((each: { amount: bigint } | null) => each === null || isUnits(each.amount)),
    ),
    question(
      'owned accounts',
      (chain) => chain.ownedAccounts(owner),
      isEach((each: { amount: bigint }) => isUnits(each.amount)),
    ),
    question(
      'statuses',
      (chain) => chain.statuses([signature]),
      isEach((each: { slot: bigint } | null) => each === null || isUnits(each.slot)),
    ),
    question(
      'history',
      (chain) => chain.history(tokenAccount, { commitment: 'finalized', limit: 10 }),
      isEach(
        (each: { slot: bigint; signature: string }) =>
          isUnits(each.slot) && typeof each.signature === 'string',
      ),
    ),
    question(
      'nonce',
      (chain) => chain.nonceValue(owner, 'finalized'),
      (value) => value === null || typeof value === 'string',
    ),
    question(
      'blockhash',
      (chain) => chain.latestBlockhash('finalized'),
      ({ blockhash, lastValidBlockHeight }) => typeof blockhash === 'string' && isUnits(lastValidBlockHeight),
    ),
  ]
}

/** Changes this many answers of a node, one value each. The game gets what it can use, or no answer. */
export async function fuzzChain({ answers, seed }: { answers: number; seed: number }): Promise<FuzzReport> {
  const world = await startTestChain()
  const node = await startHostileNode(world.url)
  const counts = { refused: 0, used: 0 }
  const findings: string[] = []
  try {
    const chain = await connectChain({ isOwnChain: true, rpcUrls: [node.url], mint: world.mint })
    for (const { name, ask, isAnswer } of await questionsOf(world)) {
      const property = fc.asyncProperty(damages, async (given) => {
        // The connection reads the genesis hash first.
        node.damageOf = ({ method }) => (method === 'getGenesisHash' ? null : given)
        const answer = await ask(chain).catch((error: unknown) => {
          if (error instanceof ChainUnavailable || error instanceof WrongChain) return null
          throw error
        })
        if (answer === null) counts.refused += 1
        else counts.used += 1
        if (answer !== null && !isAnswer(answer as never)) throw new Error(`it got ${String(answer)}`)
      })
      const { counterexample, errorInstance } = await fc.check(property, {
        seed,
        numRuns: Math.ceil(answers / 16),
      })
      if (counterexample)
        findings.push(
          `${name}: ${String((errorInstance as Error).stack).slice(0, 500)}\n  ${JSON.stringify(counterexample[0])}`,
        )
    }
  } finally {
    node.close()
    await world.stop()
  }
  return { name: 'answers of a node', counts, findings }
}
