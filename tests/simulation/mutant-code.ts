import type { Edit, Mutant } from './mutants.ts'

/** Counters in the memory of a process, which are lost when it dies. */
export const IN_MEMORY_COUNTERS = `import { currentProcess } from '#tests/simulation/process.ts'
const inMemory = (day: string): Map<string, bigint> => {
  const { memory } = currentProcess()
  if (!memory.has(day)) memory.set(day, new Map())
  return memory.get(day) as Map<string, bigint>
}
`

/** Reads the amount of the transfer instruction instead of the actual balance change. */
export const BY_INSTRUCTION = `import { getBase58Encoder } from '@solana/kit'
function byInstruction(answer: never, keys: readonly Address[], account: Address): bigint {
  const { instructions } = (answer as any).transaction.message
  for (const { accounts, data } of instructions) {
    const bytes = Buffer.from(getBase58Encoder().encode(data))
    if (bytes[0] === 12 && keys[accounts[2]] === account) return bytes.readBigUInt64LE(1)
  }
  return 0n
}
`

/** A claim resets the worker instead of adding to its claimed total. */
export function resetOnClaimEdits(base: string): Edit[] {
  return [
    {
      file: 'server/workers/claim.ts',
      find: 'update workers w set claimed = w.claimed + paid.amount',
      replace: `update workers w set ${base}, claimed = 0, since = $4`,
    },
    {
      file: 'server/workers/claim.ts',
      find: "amount: 'bigint' }) },",
      replace: "amount: 'bigint' }), now: 'timestamptz' },",
    },
    {
      file: 'server/workers/claim.ts',
      find: 'tx.send(updateClaimed, { paid })',
      replace: 'tx.send(updateClaimed, { paid, now: (tx as any).now })',
    },
  ]
}

/** Bugs of what was acknowledged, of cancelled withdrawals and of players' locks. */
export const CANCEL_AND_LOCK_MUTANTS: readonly Mutant[] = [
  {
    name: 'w5-refund-to-the-wrong-class',
    edits: [
      {
        file: 'server/withdrawals/close-withdrawal.ts',
        find: 'entries: refundEntries(wallet, open) })',
        replace: `entries: refundEntries(wallet,
    { deposited: (open.deposited + open.earned) as typeof open.deposited, earned: 0n as typeof open.earned }) })`,
      },
    ],
  },
  {
    name: 'w8-never-refund-what-is-cancelled',
    edits: [
      {
        file: 'server/signer/start-signer.ts',
        find: '      await failed.collect(steps.refundCancelled())\n',
        replace: '',
      },
    ],
  },
  {
    name: 't1-answer-before-the-commit',
    edits: [
      {
        file: 'server/platform/db/db.ts',
        find: '      await pipeline.waitForAll()\n      if (warning)',
        replace: '      pipeline.waitForAll().catch(() => {})\n      if (warning)',
      },
    ],
  },
  {
    name: 'w9-skip-the-lock',
    edits: [
      {
        file: 'server/withdrawals/withdrawal-lock.ts',
        find: 'if (!lock || lock.hours === 0) return null',
        replace: 'if (!lock || lock.hours >= 0) return null',
      },
    ],
  },
]
