import { UnavailableError } from '#server/platform/unavailable-error.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import type { Address, Base64EncodedWireTransaction, Blockhash, Nonce, Signature } from '@solana/kit'

export type { Address, Blockhash, Nonce, Signature }

/** A signed (or, before the wallet signs, unsigned) transaction, base64 of its wire bytes. */
export type Wire = Base64EncodedWireTransaction

/**
 * The cluster whose rules apply. On `local`, the chain that the supervisor started, tokens have no value. `private` is any
 * other chain that is not public.
 */
export type Cluster = 'local' | 'private' | 'mainnet' | 'devnet' | 'testnet'
export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** Nodes return histories and transactions only at `confirmed` or higher. */
export type SettledCommitment = Exclude<Commitment, 'processed'>

export type ChainFacts = {
  cluster: Cluster
  genesisHash: string
  mint: Address
  decimals: number
  tokenProgram: Address
  /** The explorer URL of a transaction, with the placeholder `{signature}`; null if no explorer covers the chain. */
  explorer: string | null
}

export type TokenAccount = {
  owner: Address
  mint: Address
  amount: bigint
  frozen: boolean
}

/** A token account of an owner, of any mint and token program. */
export type OwnedAccount = { address: Address; mint: Address; amount: bigint }

export type HistoryItem = {
  signature: Signature
  slot: bigint
  failed: boolean
  /** As nodes report it: `[byte count] text`, joined by `; `. See `memoTexts`. */
  memo: string | null
  /** The commitment that the node reports; null if it reports none. */
  commitment: Commitment | null
}

export type HistoryQuery = {
  /** Only transactions older than this signature. */
  before?: Signature
  /** Only transactions newer than this signature. */
  until?: Signature
  /** At most this many, 1 to 1000. A node may return fewer although there are more. */
  limit: number
  commitment: SettledCommitment
  /**
   * Only a node that has reached this slot may answer. A node that has not may not know `before`, and would then report
   * that nothing is older.
   */
  notBefore?: bigint
}

/** An unsupported deposit: not our token at our derived account. It is recorded and never credited. */
export type UnsupportedDeposit = {
  account: Address
  mint: Address
  tokenProgram: Address
  /** The increase of the owner's balance there, in base units of that mint; > 0. */
  amount: bigint
}

/** The change of an owner's balance of our mint at one account, in base units; never 0n. */
export type TokenChange = { account: Address; owner: Address; amount: bigint }

export type Receipt = {
  signature: Signature
  slot: bigint
  blockTime: Date | null
  failed: boolean
  /** Its blockhash, or its durable nonce. */
  lifetime: string
  /** Post − pre of the derived token account of our mint, in base units; negative if tokens left. */
  amount: bigint
  /** Post − pre of the owner address. */
  lamports: bigint
  unsupported: UnsupportedDeposit[]
  /** Every account of our mint that the transaction changed, of any owner, ordered by address. */
  changes: TokenChange[]
  /** Every account that the transaction names. */
  accounts: readonly Address[]
  /** False if a balance of the derived account has another owner, mint or program: then `amount` may be wrong. */
  isDerived: boolean
}

export type RejectReason =
  | 'already_processed'
  | 'lifetime_over'
  | 'bad_signature'
  | 'malformed'
  | 'insufficient_funds'
  | 'failed'

/**
 * `rejected`: one node refused it before inclusion. This does not prove that the transaction can never land.
 * `unknown`: no response arrived. The transaction may have landed.
 */
export type SendResult =
  | { state: 'accepted'; signature: Signature }
  | { state: 'rejected'; reason: RejectReason; detail: string }
  | { state: 'unknown'; detail: string }

export type SignatureStatus = { slot: bigint; commitment: Commitment; failed: boolean }

/** A single node. What it reports may be outdated or wrong. Rejects with `ChainUnavailable`. */
export type ChainNode = Pick<
  Chain,
  'genesisHash' | 'slot' | 'blockHeight' | 'history' | 'statuses' | 'receipt' | 'nonceValue' | 'nonceValues'
> & {
  /** The host of its URL. Only this may be logged, because the URL may contain a key. */
  host: string
}

export type BlockhashLifetime = { blockhash: Blockhash; lastValidBlockHeight: bigint }

/**
 * The chain as the game uses it. Token amounts are base units of the mint (10⁻⁶ $COTTON), SOL amounts are lamports.
 * Reads reject with `ChainUnavailable` if no node answers. No other rejection is expected.
 */
export type Chain = {
  /** Checked when the chain was connected. They do not change. */
  readonly facts: ChainFacts
  /** Every configured node. Other calls of this port use any available node; critical ones ask several. */
  readonly nodes: readonly ChainNode[]
  genesisHash(): Promise<string>
  slot(commitment: Commitment): Promise<bigint>
  blockHeight(commitment: Commitment): Promise<bigint>
  latestBlockhash(commitment: Commitment): Promise<BlockhashLifetime>
  /** The derived (associated) token account of our mint for this owner. It need not exist. */
  tokenAccountOf(owner: Address): Promise<Address>
  /** Null if there is no token account (of any mint) at this address. */
  tokenAccount(address: Address, commitment: Commitment): Promise<TokenAccount | null>
  /** The token accounts at these addresses (at most 100), at a finalized slot; null where there is none. */
  tokenAccounts(addresses: readonly Address[]): Promise<(TokenAccount | null)[]>
  /** Base units of our mint in this token account; 0n if it does not exist or has another mint. */
  tokenBalance(tokenAccount: Address, commitment: Commitment): Promise<bigint>
  /**
   * The balances of our mint in these token accounts (at most 100), all at one slot that is `notBefore` or later, finalized
   * by default; 0n as with `tokenBalance`. A node that has not reached the slot is unavailable.
   */
  tokenBalances(
    tokenAccounts: readonly Address[],
    of: { notBefore: bigint; commitment?: SettledCommitment },
  ): Promise<{ slot: bigint; amounts: bigint[] }>
  /** Every token account of this owner, of both token programs and all mints, at a finalized slot. */
  ownedAccounts(owner: Address): Promise<OwnedAccount[]>
  lamports(address: Address, commitment: Commitment): Promise<bigint>
  /** Transactions that name this address, newest first. */
  history(address: Address, query: HistoryQuery): Promise<HistoryItem[]>
  /** The effects of a transaction on an owner; null while it is not visible at this commitment. */
  receipt(
    signature: Signature,
    of: { owner: Address; tokenAccount: Address },
    commitment: SettledCommitment,
  ): Promise<Receipt | null>
  /**
   * A `receipt` that fetches each transaction once, however many owners it is read for. It caches the last few hundred and
   * is used for one round only. Missing and failed transactions are fetched again.
   */
  createReceiptReader(): Chain['receipt']
  /** Sends exactly these bytes. Sending them again is always safe. Preflight runs unless it is skipped. */
  send(wire: Wire, options?: { skipPreflight?: boolean }): Promise<SendResult>
  /** In the order of the arguments, with a search of the whole history; null where the node knows nothing. */
  statuses(signatures: readonly Signature[]): Promise<(SignatureStatus | null)[]>
  /**
   * The value that a durable-nonce transaction must carry, at slot `notBefore` or later; null if there is no initialised
   * nonce account. A node that has not reached the slot is unavailable.
   */
  nonceValue(nonceAccount: Address, commitment: Commitment, of?: { notBefore: bigint }): Promise<Nonce | null>
  /** `nonceValue` of up to 100 accounts in one call, in the order of the arguments. */
  nonceValues(
    nonceAccounts: readonly Address[],
    commitment: Commitment,
    of?: { notBefore: bigint },
  ): Promise<(Nonce | null)[]>
  /** Lamports that make an account of this many bytes rent-exempt. */
  rentFor(bytes: number): Promise<bigint>
  /** The recent priority fee for writing to these accounts, in microlamports per compute unit; 0n if there is no competition. */
  unitPrice(accounts: readonly Address[]): Promise<bigint>
}

/** No node answered in time. Nothing is known; try again later. */
export class ChainUnavailable extends UnavailableError {
  override readonly name = 'ChainUnavailable'
}

/** The nodes that were asked answer that they do not know the transaction at which a history begins or ends. */
export class UnknownTransaction extends ChainUnavailable {}

/** The chain does not match the settings. The server must not start. */
export class WrongChain extends StartupError {
  override readonly name = 'WrongChain'
}

/** The memo texts of a history item's `memo`, e.g. `[6] w:1234; [3] hi` → `['w:1234', 'hi']`. */
export function memoTexts(memo: string | null): string[] {
  if (memo === null) return []
  const texts: string[] = []
  let rest = Buffer.from(memo)
  // The byte count marks the end of a text, so a text may itself contain `; [`.
  for (;;) {
    const head = /^\[(\d+)\] /.exec(rest.subarray(0, 16).toString('latin1'))
    if (head === null) return texts
    const end = head[0].length + Number(head[1])
    texts.push(rest.subarray(head[0].length, end).toString())
    rest = rest.subarray(end + '; '.length)
  }
}
