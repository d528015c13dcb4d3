import type { Address, ChainFacts, Receipt, Signature, Stray, TokenChange } from './port.ts'

type TokenRow = {
  accountIndex: number
  mint: Address
  owner?: Address
  programId?: Address
  uiTokenAmount: { amount: string }
}

/** The parts of `getTransaction` (encoding `json`) that a receipt is read from. */
export type TransactionAnswer = {
  slot: bigint
  blockTime: bigint | null
  transaction: { message: { accountKeys: readonly Address[]; recentBlockhash: string } }
  meta: {
    err: unknown
    preBalances: readonly bigint[]
    postBalances: readonly bigint[]
    preTokenBalances?: readonly TokenRow[]
    postTokenBalances?: readonly TokenRow[]
    loadedAddresses?: { writable: readonly Address[]; readonly: readonly Address[] }
  } | null
}

/**
 * What a transaction did for an owner: our token counts at the derived account and nowhere else, by its balance before
 * and after, never by instructions or by who owns an account in the end.
 */
export function receiptOf(
  signature: Signature,
  answer: TransactionAnswer,
  of: { owner: Address; tokenAccount: Address; facts: Pick<ChainFacts, 'mint' | 'tokenProgram'> },
): Receipt | null {
  const { meta } = answer
  if (meta === null) return null
  const keys = [
    ...answer.transaction.message.accountKeys,
    ...(meta.loadedAddresses?.writable ?? []),
    ...(meta.loadedAddresses?.readonly ?? []),
  ]
  const before = holdings(keys, meta.preTokenBalances ?? [], of.owner)
  const after = holdings(keys, meta.postTokenBalances ?? [], of.owner)
  const ours = (held: Map<Address, Stray>) => {
    const row = held.get(of.tokenAccount)
    return row?.mint === of.facts.mint && row.tokenProgram === of.facts.tokenProgram ? row.amount : 0n
  }
  const ownerAt = keys.indexOf(of.owner)
  return {
    signature,
    slot: answer.slot,
    blockTime: answer.blockTime === null ? null : new Date(Number(answer.blockTime) * 1000),
    failed: meta.err !== null,
    lifetime: answer.transaction.message.recentBlockhash,
    amount: ours(after) - ours(before),
    lamports: ownerAt < 0 ? 0n : (meta.postBalances[ownerAt] ?? 0n) - (meta.preBalances[ownerAt] ?? 0n),
    strays: straysOf(before, after, of.tokenAccount),
    changes: changesOf(keys, meta, of.facts),
  }
}

const amountIn = (row: TokenRow): bigint => BigInt(row.uiTokenAmount.amount)

/** The token accounts of an owner by address, each with what it holds. */
function holdings(keys: readonly Address[], rows: readonly TokenRow[], owner: Address): Map<Address, Stray> {
  const held = new Map<Address, Stray>()
  for (const row of rows) {
    const account = keys[row.accountIndex]
    if (account === undefined || row.owner !== owner || row.programId === undefined) continue
    const amount = amountIn(row)
    held.set(account, { account, mint: row.mint, tokenProgram: row.programId, amount })
  }
  return held
}

function straysOf(before: Map<Address, Stray>, after: Map<Address, Stray>, tokenAccount: Address): Stray[] {
  return [...after.values()]
    .map((held) => ({ ...held, amount: held.amount - (before.get(held.account)?.amount ?? 0n) }))
    .filter(({ account, amount }) => account !== tokenAccount && amount > 0n)
}

type Meta = NonNullable<TransactionAnswer['meta']>

/** What each owner holds of our token more or less than before, account by account. */
function changesOf(
  keys: readonly Address[],
  { preTokenBalances = [], postTokenBalances = [] }: Meta,
  { mint, tokenProgram }: Pick<ChainFacts, 'mint' | 'tokenProgram'>,
): TokenChange[] {
  const changes = new Map<string, TokenChange>()
  const add = (row: TokenRow, sign: bigint): void => {
    const account = keys[row.accountIndex]
    const { owner } = row
    if (account === undefined || owner === undefined || row.mint !== mint || row.programId !== tokenProgram)
      return
    const before = changes.get(`${account} ${owner}`)?.amount ?? 0n
    const amount = before + sign * amountIn(row)
    changes.set(`${account} ${owner}`, { account, owner, amount })
  }
  for (const row of preTokenBalances) add(row, -1n)
  for (const row of postTokenBalances) add(row, 1n)
  return [...changes.keys()]
    .toSorted()
    .map((key) => changes.get(key)!)
    .filter(({ amount }) => amount !== 0n)
}
