import { type HistoryItem, memoTexts, type Signature } from '#server/chain/port.ts'

/** A transaction whose memo names a withdrawal. Anyone can write such a memo. */
export type NamedPayout = { id: string; signature: Signature }

/** The same in a history. */
export type FoundPayout = NamedPayout & { slot: bigint }

const MEMO = /^w:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** The withdrawals that the memos `w:<id>` of these transactions name. Failed transactions pay nothing. */
export function readPayoutMemos(items: readonly HistoryItem[]): FoundPayout[] {
  return items.flatMap(({ memo, failed, signature, slot }) =>
    failed
      ? []
      : memoTexts(memo).flatMap((text) => {
          const id = MEMO.exec(text)?.[1]
          return id ? [{ id, signature, slot }] : []
        }),
  )
}
