import { type HistoryItem, memoTexts, type Signature } from '#server/chain/port.ts'

/** A transaction that says to pay a withdrawal. Anybody may write such a memo. */
export type NamedPayout = { id: string; signature: Signature }

const MEMO = /^w:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** The withdrawals that these transactions say to pay, by their memos `w:<id>`; one that failed pays none. */
export function readPayoutMemos(items: readonly HistoryItem[]): NamedPayout[] {
  return items.flatMap(({ memo, failed, signature }) =>
    failed
      ? []
      : memoTexts(memo).flatMap((text) => {
          const id = MEMO.exec(text)?.[1]
          return id ? [{ id, signature }] : []
        }),
  )
}
