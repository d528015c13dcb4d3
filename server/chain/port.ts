import { UnavailableError } from '#server/platform/unavailable-error.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import type { Address, Base64EncodedWireTransaction, Blockhash, Nonce, Signature } from '@solana/kit'

export type { Address, Blockhash, Nonce, Signature }

/** A signed (or, before the wallet signs, unsigned) transaction, base64 of its wire bytes. */
export type Wire = Base64EncodedWireTransaction

/**
 * Whose rules hold. On `local`, the chain that the supervisor started, tokens are worth nothing; `private` is any other
 * chain that is none of the public ones.
 */
export type Cluster = 'local' | 'private' | 'mainnet' | 'devnet' | 'testnet'
export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** Nodes answer for histories and transactions from `confirmed` upwards only. */
export type SettledCommitment = Exclude<Commitment, 'processed'>

export type ChainFacts = {
  cluster: Cluster
  genesisHash: string
  mint: Address
  decimals: number
  tokenProgram: Address
  /** A page about one transaction, with `{signature}` to fill in; null where no explorer can see the chain. */
  explorer: string | null
}

export type TokenAccount = {
  owner: Address
  mint: Address
  amount: bigint
  frozen: boolean
}

/** One of an owner's token accounts, of whatever mint and token program. */
export type OwnedAccount = { address: Address; mint: Address; amount: bigint }

export type HistoryItem = {
  signature: Signature
  slot: bigint
  failed: boolean
  /** As nodes report it: `[byte count] text`, several joined by `; `. See `memoTexts`. */
  memo: string | null
  /** How sure the node is of it now; null when it does not say. */
  commitment: Commitment | null
}

export type HistoryQuery = {
  /** Only what is older than this signature. */
  before?: Signature
  /** Only what is newer than this signature. */
  until?: Signature
  /** At most this many, 1 to 1000; a node may give fewer although there are more. */
  limit: number
  commitment: SettledCommitment
  /**
   * Only a node that has come to this slot may answer. One that has not may not know `before`, and would answer as if
   * nothing were older.
   */
  notBefore?: bigint
}

/** Something that reached an owner without being our token at our derived account: recorded, never credited. */
export type UnsupportedDeposit = {
  account: Address
  mint: Address
  tokenProgram: Address
  /** What the owner holds there more than before, base units of that mint; > 0. */
  amount: bigint
}

/** By how much a transaction changed what one owner holds of our mint at one account, base units; never 0n. */
export type TokenChange = { account: Address; owner: Address; amount: bigint }

export type Receipt = {
  signature: Signature
  slot: bigint
  blockTime: Date | null
  failed: boolean
  /** The blockhash, or the nonce, that it stands on. */
  lifetime: string
  /** Post − pre of the derived token account for our mint, base units; negative when tokens left. */
  amount: bigint
  /** Post − pre of the owner address itself. */
  lamports: bigint
  unsupported: UnsupportedDeposit[]
  /** Whoever's: every account of our mint that the transaction changed, in the order of their addresses. */
  changes: TokenChange[]
}

export type RejectReason =
  | 'already_processed'
  | 'lifetime_over'
  | 'bad_signature'
  | 'malformed'
  | 'insufficient_funds'
  | 'failed'

/**
 * `rejected` is the word of one node before inclusion: no proof that the transaction can never land.
 * `unknown` means that no answer came back: it may have landed.
 */
export type SendResult =
  | { state: 'accepted'; signature: Signature }
  | { state: 'rejected'; reason: RejectReason; detail: string }
  | { state: 'unknown'; detail: string }

export type SimulationResult =
  | { ok: true; unitsConsumed: bigint; logs: string[] }
  | { ok: false; reason: RejectReason; detail: string; logs: string[] }

export type SignatureStatus = { slot: bigint; commitment: Commitment; failed: boolean }

/** One node asked by itself: what a single one says may be old, or wrong. Rejects with `ChainUnavailable`. */
export type ChainNode = Pick<
  Chain,
  'genesisHash' | 'slot' | 'blockHeight' | 'statuses' | 'receipt' | 'nonceValue'
> & {
  /** Of its address, which may hold a key: only this may be shown. */
  host: string
}

export type BlockhashLifetime = { blockhash: Blockhash; lastValidBlockHeight: bigint }

/**
 * What the game needs of a chain. Token amounts are base units of the mint (10⁻⁶ $COTTON), SOL amounts lamports.
 * Reads reject with `ChainUnavailable` when no node answers; nothing else is expected to reject.
 */
export type Chain = {
  /** Checked when the chain was connected; they do not change while it lives. */
  readonly facts: ChainFacts
  /** Every node of the settings. The rest of this port asks whichever serves; what costs much is asked of several. */
  readonly nodes: readonly ChainNode[]
  genesisHash(): Promise<string>
  slot(commitment: Commitment): Promise<bigint>
  blockHeight(commitment: Commitment): Promise<bigint>
  latestBlockhash(commitment: Commitment): Promise<BlockhashLifetime>
  /** The associated token account of our mint for this owner; derived, it need not exist. */
  tokenAccountOf(owner: Address): Promise<Address>
  /** Null when there is no token account (of whatever mint) at this address. */
  tokenAccount(address: Address, commitment: Commitment): Promise<TokenAccount | null>
  /** The token accounts at these addresses (at most 100), as of a finalized slot; null where there is none. */
  tokenAccounts(addresses: readonly Address[]): Promise<(TokenAccount | null)[]>
  /** Base units of our mint at this token account; 0n when it does not exist or is of another mint. */
  tokenBalance(tokenAccount: Address, commitment: Commitment): Promise<bigint>
  /**
   * What these token accounts (at most 100) hold of our mint, all at one slot that is `notBefore` or later, finalized
   * unless said otherwise; 0n as with `tokenBalance`. A node that has not come so far is unavailable.
   */
  tokenBalances(
    tokenAccounts: readonly Address[],
    of: { notBefore: bigint; commitment?: SettledCommitment },
  ): Promise<{ slot: bigint; amounts: bigint[] }>
  /** Every token account of this owner, of both token programs and all mints, as of a finalized slot. */
  ownedAccounts(owner: Address): Promise<OwnedAccount[]>
  lamports(address: Address, commitment: Commitment): Promise<bigint>
  /** Transactions that name this address, newest first. */
  history(address: Address, query: HistoryQuery): Promise<HistoryItem[]>
  /** What one transaction did for an owner; null while it is not visible at this commitment. */
  receipt(
    signature: Signature,
    of: { owner: Address; tokenAccount: Address },
    commitment: SettledCommitment,
  ): Promise<Receipt | null>
  /**
   * A `receipt` that asks for a transaction once, however many owners it is read for. It remembers the last few hundred,
   * so it is made for one round and thrown away. What was not there or failed is asked again.
   */
  createReceiptReader(): Chain['receipt']
  /** Sends these very bytes; sending them again is always safe. Preflight runs unless it is skipped. */
  send(wire: Wire, options?: { skipPreflight?: boolean }): Promise<SendResult>
  simulate(wire: Wire): Promise<SimulationResult>
  /** In the order asked, searching the whole history; null where this node knows nothing. */
  statuses(signatures: readonly Signature[]): Promise<(SignatureStatus | null)[]>
  /**
   * The value a durable-nonce transaction must carry, as of slot `notBefore` or later; null when there is no initialised
   * nonce account. A node that has not come so far is unavailable.
   */
  nonceValue(nonceAccount: Address, commitment: Commitment, of?: { notBefore: bigint }): Promise<Nonce | null>
  /** Lamports that keep an account of this many bytes alive. */
  rentFor(bytes: number): Promise<bigint>
  /** What lately bought a place among those who write these accounts: microlamports a compute unit; 0n when it is quiet. */
  unitPrice(accounts: readonly Address[]): Promise<bigint>
}

/** No node answered in time: try again later, nothing is known. */
export class ChainUnavailable extends UnavailableError {
  override readonly name = 'ChainUnavailable'
}

/** The chain is not the one that the settings promise: the server must not start. */
export class WrongChain extends StartupError {
  override readonly name = 'WrongChain'
}

/** The memo texts of a history item's `memo`, e.g. `[6] w:1234; [3] hi` → `['w:1234', 'hi']`. */
export function memoTexts(memo: string | null): string[] {
  if (memo === null) return []
  const texts: string[] = []
  let rest = Buffer.from(memo)
  // The byte count says where a text ends, so a text may itself contain `; [`.
  for (;;) {
    const head = /^\[(\d+)\] /.exec(rest.subarray(0, 16).toString('latin1'))
    if (head === null) return texts
    const end = head[0].length + Number(head[1])
    texts.push(rest.subarray(head[0].length, end).toString())
    rest = rest.subarray(end + '; '.length)
  }
}
