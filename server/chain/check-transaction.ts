import type { Address, ChainFacts, Signature } from './port.ts'
import { accountKeysOf, type RpcTransaction, type TokenRow } from './receipts.ts'

/** Slots are stored in a bigint of Postgres. */
const MAX_SLOT = 2n ** 63n - 1n

type Facts = Pick<ChainFacts, 'mint' | 'decimals'>

export type CheckedTransaction = RpcTransaction & { transaction: { signatures: readonly string[] } }

/**
 * Throws if a node's answer contradicts itself, so that it counts as no answer. A damaged value must neither credit tokens
 * that nobody sent nor hide tokens that somebody sent. Each rule holds for every transaction that a node can execute, so
 * nobody can send one that is refused here.
 */
export function checkTransaction(
  answer: CheckedTransaction,
  { signature, facts }: { signature: Signature; facts: Facts },
): void {
  const { slot, meta, transaction } = answer
  if (transaction.signatures[0] !== signature) throw new Error('it is another transaction')
  if (typeof slot !== 'bigint' || slot < 0n || slot > MAX_SLOT) throw new Error('it has no slot')
  if (meta === null) return
  const keys = accountKeysOf(transaction, meta)
  if (keys.some((key) => typeof key !== 'string') || new Set(keys).size !== keys.length)
    throw new Error('its accounts are not distinct addresses')
  const before = readRows(meta.preTokenBalances, { keys, facts })
  const after = readRows(meta.postTokenBalances, { keys, facts })
  const isFailed = meta.err !== null
  if (isFailed) return checkUnchanged(before, after)
  const counts = [meta.preBalances, meta.postBalances].map((balances) => balances.length)
  if (counts.some((count) => count !== keys.length)) throw new Error('it lacks accounts or their balances')
  // Only the mint's own account counts what is minted and burned, so it has to be writable for that.
  if (!isWritable(answer, keys.indexOf(facts.mint)) && sumOf(before) !== sumOf(after))
    throw new Error('tokens appear or vanish in it')
}

/** The amounts of our mint by account index. */
function readRows(
  rows: readonly TokenRow[] | null | undefined,
  { keys, facts }: { keys: readonly Address[]; facts: Facts },
): Map<number, bigint> {
  const amounts = new Map<number, bigint>()
  const seen = new Set<number>()
  for (const { accountIndex, mint, owner, programId, uiTokenAmount } of rows ?? []) {
    if (keys[accountIndex] === undefined || seen.has(accountIndex))
      throw new Error('a token balance belongs to no account, or to one that has another')
    seen.add(accountIndex)
    if ([mint, owner, programId].some((each) => typeof each !== 'string'))
      throw new Error('a token balance has no mint, owner or program')
    if (mint === facts.mint) amounts.set(accountIndex, amountOf(uiTokenAmount, facts))
  }
  return amounts
}

/** The amount in base units. Nodes also write it as a decimal, which has to be the same. */
function amountOf(
  { amount, decimals, uiAmountString }: TokenRow['uiTokenAmount'],
  facts: Pick<Facts, 'decimals'>,
): bigint {
  if (typeof amount !== 'string' || !/^\d{1,20}$/.test(amount) || Number(decimals) !== facts.decimals)
    throw new Error('a token balance has no amount')
  const units = BigInt(amount)
  if (uiAmountString === undefined) return units
  const [whole = '', fraction = ''] = String(uiAmountString).split('.')
  const digits = whole + fraction.padEnd(facts.decimals, '0')
  if (!/^\d{1,40}$/.test(digits) || fraction.length > facts.decimals || BigInt(digits) !== units)
    throw new Error('a token balance has two amounts')
  return units
}

/** A transaction that failed moves no tokens. Its balances may be listed before it only. */
function checkUnchanged(before: ReadonlyMap<number, bigint>, after: ReadonlyMap<number, bigint>): void {
  for (const [account, amount] of after)
    if ((before.get(account) ?? 0n) !== amount) throw new Error('it moves tokens, although it failed')
}

const sumOf = (amounts: ReadonlyMap<number, bigint>): bigint =>
  [...amounts.values()].reduce((sum, amount) => sum + amount, 0n)

/** Whether a transaction may write to an account (https://solana.com/docs/core/transactions#message-header). */
function isWritable({ transaction, meta }: RpcTransaction, index: number): boolean {
  if (index < 0) return false
  const { accountKeys, header } = transaction.message
  if (header === undefined) throw new Error('its message has no header')
  const [signers, readonlySigners, readonlyOthers] = [
    header.numRequiredSignatures,
    header.numReadonlySignedAccounts,
    header.numReadonlyUnsignedAccounts,
  ].map(Number) as [number, number, number]
  if (index < signers) return index < signers - readonlySigners
  if (index < accountKeys.length) return index < accountKeys.length - readonlyOthers
  return index < accountKeys.length + (meta?.loadedAddresses?.writable.length ?? 0)
}
