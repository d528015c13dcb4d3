import type { Address, ChainFacts, Receipt, Signature, UnsupportedDeposit, TokenChange } from './port.ts'

export type TokenRow = {
  accountIndex: number
  mint: Address
  owner?: Address
  programId?: Address
  uiTokenAmount: { amount: string; decimals?: number; uiAmountString?: string }
}

type MessageHeader = {
  numRequiredSignatures: number
  numReadonlySignedAccounts: number
  numReadonlyUnsignedAccounts: number
}

/** The parts of a `getTransaction` response (encoding `json`) that a receipt is computed from. */
export type RpcTransaction = {
  slot: bigint
  blockTime: bigint | null
  transaction: {
    message: { accountKeys: readonly Address[]; recentBlockhash: string; header?: MessageHeader }
  }
  meta: {
    err: unknown
    preBalances: readonly bigint[]
    postBalances: readonly bigint[]
    preTokenBalances?: readonly TokenRow[] | null
    postTokenBalances?: readonly TokenRow[] | null
    loadedAddresses?: { writable: readonly Address[]; readonly: readonly Address[] }
  } | null
}

/** The last second of the year 9999. The database stores no later time, and none before 1970. */
const LAST_SECOND = 253_402_300_799

const isTime = (seconds: number | null): boolean =>
  seconds === null || (seconds >= 0 && seconds <= LAST_SECOND)

/**
 * The effects of a transaction on an owner. Our token counts only at the derived account, as the difference of its balances
 * before and after. Instructions and the final owner of an account are ignored.
 */
export function receiptOf(
  signature: Signature,
  answer: RpcTransaction,
  of: { owner: Address; tokenAccount: Address; facts: Pick<ChainFacts, 'mint' | 'tokenProgram'> },
): Receipt | null {
  const { meta } = answer
  if (meta === null) return null
  const seconds = answer.blockTime === null ? null : Number(answer.blockTime)
  if (typeof answer.slot !== 'bigint' || !isTime(seconds))
    throw new Error('the transaction has no slot or time')
  const keys = accountKeysOf(answer.transaction, meta)
  const before = readHoldings(keys, meta.preTokenBalances ?? [], of.owner)
  const after = readHoldings(keys, meta.postTokenBalances ?? [], of.owner)
  const ours = (byAccount: Map<Address, UnsupportedDeposit>) => {
    const row = byAccount.get(of.tokenAccount)
    return row?.mint === of.facts.mint && row.tokenProgram === of.facts.tokenProgram ? row.amount : 0n
  }
  const rows = [...(meta.preTokenBalances ?? []), ...(meta.postTokenBalances ?? [])]
  const ownerIndex = keys.indexOf(of.owner)
  return {
    signature,
    slot: answer.slot,
    blockTime: seconds === null ? null : new Date(seconds * 1000),
    failed: meta.err !== null,
    lifetime: answer.transaction.message.recentBlockhash,
    amount: ours(after) - ours(before),
    lamports:
      ownerIndex < 0 ? 0n : (meta.postBalances[ownerIndex] ?? 0n) - (meta.preBalances[ownerIndex] ?? 0n),
    unsupported: unsupportedIn(before, after, of.tokenAccount),
    changes: changesOf(keys, meta, of.facts),
    accounts: keys,
    isDerived: rows.every(
      ({ accountIndex, mint, owner, programId }) =>
        keys[accountIndex] !== of.tokenAccount ||
        (mint === of.facts.mint && owner === of.owner && programId === of.facts.tokenProgram),
    ),
  }
}

/** The accounts of a transaction in the order of their indexes. */
export const accountKeysOf = (
  { message }: RpcTransaction['transaction'],
  { loadedAddresses }: Pick<Meta, 'loadedAddresses'>,
): Address[] => [
  ...message.accountKeys,
  ...(loadedAddresses?.writable ?? []),
  ...(loadedAddresses?.readonly ?? []),
]

const amountIn = (row: TokenRow): bigint => BigInt(row.uiTokenAmount.amount)

/** The token accounts of an owner by address, with their balances. */
function readHoldings(
  keys: readonly Address[],
  rows: readonly TokenRow[],
  owner: Address,
): Map<Address, UnsupportedDeposit> {
  const byAccount = new Map<Address, UnsupportedDeposit>()
  for (const row of rows) {
    const account = keys[row.accountIndex]
    if (account === undefined || row.owner !== owner || row.programId === undefined) continue
    const amount = amountIn(row)
    byAccount.set(account, { account, mint: row.mint, tokenProgram: row.programId, amount })
  }
  return byAccount
}

function unsupportedIn(
  before: Map<Address, UnsupportedDeposit>,
  after: Map<Address, UnsupportedDeposit>,
  tokenAccount: Address,
): UnsupportedDeposit[] {
  return [...after.values()]
    .map((balance) => ({ ...balance, amount: balance.amount - (before.get(balance.account)?.amount ?? 0n) }))
    .filter(({ account, amount }) => account !== tokenAccount && amount > 0n)
}

type Meta = NonNullable<RpcTransaction['meta']>

/** The change of each owner's balance of our token, for each account. */
function changesOf(
  keys: readonly Address[],
  { preTokenBalances, postTokenBalances }: Meta,
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
  for (const row of preTokenBalances ?? []) add(row, -1n)
  for (const row of postTokenBalances ?? []) add(row, 1n)
  return [...changes.keys()]
    .toSorted()
    .map((key) => changes.get(key)!)
    .filter(({ amount }) => amount !== 0n)
}
