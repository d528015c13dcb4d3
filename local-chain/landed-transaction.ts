import type { MaybeEncodedAccount } from '@solana/kit'
import { SUPPORTED_MEMO_PROGRAM_ADDRESSES } from '@solana-program/memo'
import type { Signature } from '#server/chain/port.ts'
import type { Message, DecodedTransaction } from '#server/chain/read-transaction.ts'
import { type ExecutedTransaction, lamportsOf } from './virtual-machine.ts'
import type { LandedTransaction } from './store.ts'

/** The accounts that a transaction changed, in their state after it. */
export function changedAccounts(executed: ExecutedTransaction): MaybeEncodedAccount[] {
  return executed.after.filter((after, i) => !isSameAccount(after, executed.before[i]!))
}

/** What a block stores of an included transaction. */
export function toLandedTransaction(
  decoded: DecodedTransaction,
  executed: ExecutedTransaction,
  { slot, time }: { slot: bigint; time: Date },
): LandedTransaction {
  const { error, logs, unitsConsumed, keys, loaded, inner, preTokens, postTokens } = executed
  return {
    signature: decoded.signature as Signature,
    slot,
    blockTime: Math.floor(time.getTime() / 1000),
    error,
    memo: memoOf(decoded.message),
    wire: decoded.wire,
    meta: {
      fee: executed.fee.toString(),
      logs,
      unitsConsumed,
      keys,
      loaded,
      inner,
      preBalances: executed.before.map((account) => lamportsOf(account).toString()),
      postBalances: executed.after.map((account) => lamportsOf(account).toString()),
      preTokens,
      postTokens,
    },
  }
}

function isSameAccount(a: MaybeEncodedAccount, b: MaybeEncodedAccount): boolean {
  if (!a.exists || !b.exists) return a.exists === b.exists
  return (
    a.lamports === b.lamports &&
    a.programAddress === b.programAddress &&
    a.executable === b.executable &&
    // Not copied: the accounts of programs are large.
    Buffer.compare(a.data as Uint8Array, b.data as Uint8Array) === 0
  )
}

function memoOf(message: Message): string | null {
  const programs: readonly string[] = SUPPORTED_MEMO_PROGRAM_ADDRESSES
  const memos = message.instructions.flatMap(({ programAddressIndex, data }) => {
    if (!programs.includes(message.staticAccounts[programAddressIndex]!)) return []
    const bytes = Buffer.from(data ?? [])
    return [`[${bytes.length}] ${bytes.toString()}`]
  })
  return memos.length > 0 ? memos.join('; ') : null
}
