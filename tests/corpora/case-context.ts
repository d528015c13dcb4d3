import { randomBytes } from 'node:crypto'
import {
  type Address,
  appendTransactionMessageInstructions,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getAddMemoInstruction, LEGACY_MEMO_PROGRAM_ADDRESS_V3 } from '@solana-program/memo'
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system'
import {
  AuthorityType,
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeAccount3Instruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  getSetAuthorityInstruction,
  getTokenSize,
  getTransferInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import type { Signature, Wire } from '#server/chain/port.ts'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import { type DepositAddress, takeDepositAddress } from '#server/deposits/take-address.ts'
import type { Signer } from '#server/signer/signer.ts'
import { runQuery, type ChainTestWorld, type TestWallet } from '#tests/support/chain-test-world.ts'

export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address

/** The surroundings of one case: the deposit addresses of two players, and a thief with tokens. */
export type CaseContext = Awaited<ReturnType<typeof openCaseContext>>

/** Opens a new context. Transactions sent with `run` may fail, and are not awaited until all cases have run. */
export async function openCaseContext(world: ChainTestWorld, signer: Signer, thief: TestWallet) {
  const { chain } = world
  const { mint } = chain.facts
  const payer = thief.signer
  const [player, other] = [await newAddress(world), await newAddress(world)]
  const mine = await chain.tokenAccountOf(payer.address)

  const sentSignatures: Signature[] = []
  const send = async (wire: Wire, signature: Signature): Promise<Signature> => {
    const sent = await chain.send(wire, { skipPreflight: true })
    if (sent.state !== 'accepted') throw new Error(`not sent: ${JSON.stringify(sent)}`)
    sentSignatures.push(signature)
    return signature
  }
  const run = async (instructions: Instruction[]): Promise<Signature> => {
    const lifetime = await chain.latestBlockhash('confirmed')
    const { wire, signature } = await signWithBlockhash(payer, lifetime, [...instructions, memo(nonce())])
    return send(wire, signature)
  }
  const make = async (of: { account: KeyPairSigner; space: number; program?: Address }) =>
    getCreateAccountInstruction({
      payer,
      newAccount: of.account,
      lamports: lamports(await chain.rentFor(of.space)),
      space: of.space,
      programAddress: of.program ?? TOKEN_PROGRAM_ADDRESS,
    })

  return {
    chain,
    /** Every transaction of the case. */
    ran: sentSignatures,
    mint,
    payer,
    player,
    other,
    mine,
    run,
    make,
    /** Resolves when it is final. */
    settle: (signature: Signature) => world.waitUntilFinal(signature),
    gift: (owner: Address, units: bigint) =>
      world.gift(owner, units as Parameters<ChainTestWorld['gift']>[1]),
    /** Like `run`, as a legacy transaction or with these addresses in a lookup table. */
    runAs: async (form: 'legacy' | Record<Address, Address[]>, instructions: Instruction[]) => {
      const lifetime = await chain.latestBlockhash('confirmed')
      const all = [...instructions, memo(nonce())]
      const draft =
        form === 'legacy'
          ? pipe(
              createTransactionMessage({ version: 'legacy' }),
              (message) => setTransactionMessageFeePayerSigner(payer, message),
              (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
              (message) => appendTransactionMessageInstructions(all, message),
            )
          : pipe(
              createTransactionMessage({ version: 0 }),
              (message) => setTransactionMessageFeePayerSigner(payer, message),
              (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
              (message) => appendTransactionMessageInstructions(all, message),
              (message) => compressTransactionMessageUsingAddressLookupTables(message, form),
            )
      const transaction = await signTransactionMessageWithSigners(draft)
      return send(getBase64EncodedWireTransaction(transaction), getSignatureFromTransaction(transaction))
    },
    /** The key of a deposit address, for transactions that only the signer could send. */
    keyOf: async ({ owner }: DepositAddress) => {
      const [row] = await runQuery<{ index: number }>(
        world.owner,
        'select index from deposit_addresses where owner = $1',
        [owner],
      )
      return signer.keys.depositKey(row!.index)
    },
    /** Transfers $COTTON of the thief, or of `authority`, without naming the mint. */
    move: (of: { from?: Address; to: Address; amount: bigint; authority?: KeyPairSigner }): Instruction =>
      getTransferInstruction({
        source: of.from ?? mine,
        destination: of.to,
        authority: of.authority ?? payer,
        amount: of.amount,
      }),
    /** Names an address without any effect, so that the transaction is in its history. */
    name: (address: Address): Instruction =>
      getTransferSolInstruction({ source: payer, destination: address, amount: 0n }),
    /** Opens the derived account of our mint for an owner. */
    open: (ata: Address, owner: Address): Instruction =>
      getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner, mint }),
    /** Creates an account of our mint for an owner that is not the derived one. */
    loose: async (owner: Address) => {
      const account = await generateKeyPairSigner()
      const made = [
        await make({ account, space: getTokenSize() }),
        getInitializeAccount3Instruction({ account: account.address, mint, owner }),
      ]
      return { account: account.address, made }
    },
    handOver: (account: Address, to: Address): Instruction =>
      getSetAuthorityInstruction({
        owned: account,
        owner: payer,
        authorityType: AuthorityType.AccountOwner,
        newAuthority: to,
      }),
    /** Creates another mint, and mints this much of it to the derived account of an owner. */
    counterfeit: async (of: { owner: Address; amount: bigint; program?: Address; decimals?: number }) => {
      const program = of.program ?? TOKEN_PROGRAM_ADDRESS
      const at = { programAddress: program }
      const fake = await generateKeyPairSigner()
      const seeds = { owner: of.owner, mint: fake.address, tokenProgram: program }
      const [ata] = await findAssociatedTokenPda(seeds)
      const made = [
        await make({ account: fake, space: getMintSize(), program }),
        getInitializeMint2Instruction(
          { mint: fake.address, decimals: of.decimals ?? 6, mintAuthority: payer.address },
          at,
        ),
        getCreateAssociatedTokenIdempotentInstruction({
          payer,
          ata,
          owner: of.owner,
          mint: fake.address,
          tokenProgram: program,
        }),
        getMintToInstruction({ mint: fake.address, token: ata, mintAuthority: payer, amount: of.amount }, at),
      ]
      return { mint: fake.address, ata, made }
    },
  }
}

/** A memo from the thief. */
export const memo = (text: string): Instruction =>
  getAddMemoInstruction({ memo: text }, { programAddress: LEGACY_MEMO_PROGRAM_ADDRESS_V3 })

// Two equal transactions in one block have the same signature, so only one lands.
const nonce = () => randomBytes(6).toString('hex')

async function newAddress(world: ChainTestWorld): Promise<DepositAddress> {
  const { address: wallet } = await generateKeyPairSigner()
  return (await takeDepositAddress(world.api, { wallet, now: world.clock.now() }))!
}
