import assert from 'node:assert/strict'
import {
  appendTransactionMessageInstructions,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLifetimeUsingDurableNonce,
  signTransactionMessageWithSigners,
  type Instruction,
  type KeyPairSigner,
  type ReadonlyUint8Array,
  type TransactionSigner,
} from '@solana/kit'
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import { getAddMemoInstruction, LEGACY_MEMO_PROGRAM_ADDRESS_V3 } from '@solana-program/memo'
import {
  getCreateAccountInstruction,
  getInitializeNonceAccountInstruction,
  getNonceSize,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import type { Address, BlockhashLifetime, ChainFacts, Nonce, Signature, Wire } from './port.ts'

type Token = Pick<ChainFacts, 'mint' | 'decimals' | 'tokenProgram'>

export type SignedTransaction = { signature: Signature; wire: Wire }

/** Enough for an account creation, a transfer and a memo, including an expensive address derivation. */
export const COMPUTE_UNIT_LIMIT = 150_000

/** Enough to advance a nonce, about ten times over. */
const ADVANCE_UNIT_LIMIT = 5_000

/** The highest priority fee: 150,000 units at this price cost 300,000 lamports. */
export const MAX_UNIT_PRICE_MICROLAMPORTS = 2_000_000n

export const NONCE_ACCOUNT_BYTES = getNonceSize()

/** The size of the token account that a payout opens. With Token-2022 it says that its owner never changes: 165 + 5 bytes. */
export const TOKEN_ACCOUNT_BYTES = 170

/**
 * A deposit for the wallet to sign. The wallet pays, our token account is created if it is missing, memo `d:<reference>`.
 * Returns the message bytes, which must come back unchanged, and the wire bytes with an empty signature. The compute budget
 * is set here because wallets rewrite messages without one.
 */
export async function buildTransfer(of: {
  token: Token
  wallet: Address
  depositOwner: Address
  amount: bigint
  reference: string
  lifetime: BlockhashLifetime
  unitPriceMicrolamports?: bigint
}): Promise<{ message: ReadonlyUint8Array; wire: Wire }> {
  const wallet = createNoopSigner(of.wallet)
  const instructions = [
    ...computeBudget(of.unitPriceMicrolamports),
    ...(await tokenTransfer({
      ...of,
      payer: wallet,
      from: wallet,
      toOwner: of.depositOwner,
      memo: `d:${of.reference}`,
    })),
  ]
  const transaction = compileTransaction(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(wallet, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(of.lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
    ),
  )
  return { message: transaction.messageBytes, wire: getBase64EncodedWireTransaction(transaction) }
}

/**
 * A payout from the treasury on the nonce of a lane, memo `w:<id>`. The same arguments give the same bytes. Of all payouts
 * that are signed on one nonce value, at most one can land.
 */
export async function buildPayout(of: {
  token: Token
  treasury: KeyPairSigner
  lane: { nonceAccount: Address; nonce: Nonce }
  wallet: Address
  amount: bigint
  id: string
  unitPriceMicrolamports?: bigint
  /** False if the wallet's token account exists. Then it is not created, even if it is closed in the meantime. */
  opensAccount?: boolean
}): Promise<SignedTransaction> {
  const { treasury } = of
  const instructions = [
    ...computeBudget(of.unitPriceMicrolamports),
    ...(await tokenTransfer({
      ...of,
      payer: treasury,
      from: treasury,
      toOwner: of.wallet,
      memo: `w:${of.id}`,
    })),
  ]
  return signOnLane(of, instructions)
}

/**
 * Advances the nonce of a lane and does nothing else. It is signed on that nonce itself: of all transactions on one nonce
 * value, payouts and advances, at most one can land. A late advance therefore cannot use up the nonce of a later payout.
 * The same arguments give the same bytes.
 */
export async function buildAdvance(of: {
  treasury: KeyPairSigner
  lane: { nonceAccount: Address; nonce: Nonce }
  unitPriceMicrolamports?: bigint
}): Promise<SignedTransaction> {
  return signOnLane(of, computeBudget(of.unitPriceMicrolamports, ADVANCE_UNIT_LIMIT))
}

async function signOnLane(
  { treasury, lane }: { treasury: KeyPairSigner; lane: { nonceAccount: Address; nonce: Nonce } },
  instructions: readonly Instruction[],
): Promise<SignedTransaction> {
  return toSignedTransaction(
    await signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayerSigner(treasury, message),
        // Puts the nonce advance before all appended instructions.
        (message) =>
          setTransactionMessageLifetimeUsingDurableNonce(
            {
              nonce: lane.nonce,
              nonceAccountAddress: lane.nonceAccount,
              nonceAuthorityAddress: treasury.address,
            },
            message,
          ),
        (message) => appendTransactionMessageInstructions(instructions, message),
      ),
    ),
  )
}

/** Moves tokens of a deposit address to the treasury, which pays the fee; memo `s:<id>`. */
export async function buildSweep(of: {
  token: Token
  depositOwner: KeyPairSigner
  treasury: KeyPairSigner
  amount: bigint
  id: string
  lifetime: BlockhashLifetime
  unitPriceMicrolamports?: bigint
}): Promise<SignedTransaction> {
  const { treasury, depositOwner } = of
  return signWithBlockhash(treasury, of.lifetime, [
    ...computeBudget(of.unitPriceMicrolamports),
    ...(await tokenTransfer({
      ...of,
      payer: treasury,
      from: depositOwner,
      toOwner: treasury.address,
      memo: `s:${of.id}`,
    })),
  ])
}

/** Creates the nonce account of a lane. The treasury pays and is its authority. `rent` is `rentFor(NONCE_ACCOUNT_BYTES)`. */
export async function buildNonceAccount(of: {
  nonceAccount: KeyPairSigner
  treasury: KeyPairSigner
  rent: bigint
  lifetime: BlockhashLifetime
}): Promise<SignedTransaction> {
  return signWithBlockhash(of.treasury, of.lifetime, [
    getCreateAccountInstruction({
      payer: of.treasury,
      newAccount: of.nonceAccount,
      lamports: of.rent,
      space: NONCE_ACCOUNT_BYTES,
      programAddress: SYSTEM_PROGRAM_ADDRESS,
    }),
    getInitializeNonceAccountInstruction({
      nonceAccount: of.nonceAccount.address,
      nonceAuthority: of.treasury.address,
    }),
  ])
}

/** Signs these instructions on a recent blockhash, as `payer` and as every signer in them. */
export async function signWithBlockhash(
  payer: TransactionSigner,
  lifetime: BlockhashLifetime,
  instructions: readonly Instruction[],
): Promise<SignedTransaction> {
  return toSignedTransaction(
    await signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayerSigner(payer, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
        (message) => appendTransactionMessageInstructions(instructions, message),
      ),
    ),
  )
}

function toSignedTransaction(
  transaction: Awaited<ReturnType<typeof signTransactionMessageWithSigners>>,
): SignedTransaction {
  return {
    signature: getSignatureFromTransaction(transaction),
    wire: getBase64EncodedWireTransaction(transaction),
  }
}

function computeBudget(unitPriceMicrolamports = 0n, units = COMPUTE_UNIT_LIMIT): Instruction[] {
  const price =
    unitPriceMicrolamports < MAX_UNIT_PRICE_MICROLAMPORTS
      ? unitPriceMicrolamports
      : MAX_UNIT_PRICE_MICROLAMPORTS
  return [
    getSetComputeUnitLimitInstruction({ units }),
    getSetComputeUnitPriceInstruction({ microLamports: price }),
  ]
}

/**
 * A transfer between the accounts of two owners. The payer creates the receiving account if it is missing. The memo stands
 * right before the transfer, because a Token-2022 account can require that of every transfer that it receives.
 */
async function tokenTransfer(of: {
  token: Token
  payer: TransactionSigner
  from: TransactionSigner
  toOwner: Address
  amount: bigint
  memo: string
  opensAccount?: boolean
}): Promise<Instruction[]> {
  assert(of.amount > 0n, `cannot transfer ${of.amount} base units`)
  const { mint, decimals, tokenProgram } = of.token
  const [source] = await findAssociatedTokenPda({ owner: of.from.address, mint, tokenProgram })
  const [destination] = await findAssociatedTokenPda({ owner: of.toOwner, mint, tokenProgram })
  const createAccount = getCreateAssociatedTokenIdempotentInstruction({
    payer: of.payer,
    ata: destination,
    owner: of.toOwner,
    mint,
    tokenProgram,
  })
  return [
    ...(of.opensAccount === false ? [] : [createAccount]),
    memo(of.memo),
    getTransferCheckedInstruction(
      { source, mint, destination, authority: of.from, amount: of.amount, decimals },
      { programAddress: tokenProgram },
    ),
  ]
}

/** The memo program, whose texts nodes list in histories. */
function memo(text: string): Instruction {
  return getAddMemoInstruction({ memo: text }, { programAddress: LEGACY_MEMO_PROGRAM_ADDRESS_V3 })
}
