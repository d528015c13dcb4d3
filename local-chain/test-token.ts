import { randomBytes } from 'node:crypto'
import {
  createKeyPairSignerFromPrivateKeyBytes,
  lamports,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit'
import { getAddMemoInstruction, LEGACY_MEMO_PROGRAM_ADDRESS_V3 } from '@solana-program/memo'
import {
  getCreateAccountInstruction,
  getTransferSolInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import type { Address, Signature } from '#server/chain/port.ts'
import { readTransaction } from '#server/chain/read-transaction.ts'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import type { LocalLedger } from './local-ledger.ts'
import { invalid, RpcError } from './rpc-params.ts'

const DECIMALS = 6
const FAUCET_LAMPORTS = 5_000_000_000_000_000n
const INTERNAL_ERROR = -32603
const SYSVARS = 'Sysvar1111111111111111111111111111111111111' as Address

type FaucetRequest = { owner: Address; baseUnits: bigint; lamports: bigint }

/** The $COTTON test token of a local chain, and the faucet, which is its mint authority. */
export type TestToken = {
  mint: Address
  /**
   * Mints tokens for an owner and sends SOL, in a real transaction. Rejects with `RpcError` if it fails or the owner cannot
   * receive them.
   */
  give(request: FaucetRequest): Promise<Signature[]>
}

/** Opens the test token of this chain. The first time, it creates the mint and the faucet's SOL. */
export async function openTestToken(ledger: LocalLedger): Promise<TestToken> {
  const [faucet, mint] = await Promise.all([keyOf(ledger, 'faucet key'), keyOf(ledger, 'mint key')])
  if (!ledger.account(faucet.address, 'processed').exists)
    ledger.insertAccount({
      address: faucet.address,
      lamports: lamports(FAUCET_LAMPORTS),
      programAddress: SYSTEM_PROGRAM_ADDRESS,
      executable: false,
      space: 0n,
      data: new Uint8Array(),
    })
  if (!ledger.account(mint.address, 'processed').exists)
    await run(ledger, faucet, makeMint(ledger, faucet, mint))
  return {
    mint: mint.address,
    give: async (request) => {
      if (!mayReceive(ledger, request.owner)) throw invalid('a program or its data receives no gifts')
      return [await run(ledger, faucet, await faucetInstructions(faucet, mint.address, request))]
    },
  }
}

/** Whether the address is unused or a wallet. Programs and sysvars cannot receive SOL. */
function mayReceive(ledger: LocalLedger, owner: Address): boolean {
  const account = ledger.account(owner, 'processed')
  return !account.exists || (!account.executable && account.programAddress !== SYSVARS)
}

function keyOf(ledger: LocalLedger, name: string): Promise<KeyPairSigner> {
  return createKeyPairSignerFromPrivateKeyBytes(ledger.store.readOrCreateBytes(name, () => randomBytes(32)))
}

function makeMint(ledger: LocalLedger, faucet: KeyPairSigner, mint: KeyPairSigner): Instruction[] {
  return [
    getCreateAccountInstruction({
      payer: faucet,
      newAccount: mint,
      lamports: ledger.rentFor(BigInt(getMintSize())),
      space: getMintSize(),
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({
      mint: mint.address,
      decimals: DECIMALS,
      mintAuthority: faucet.address,
    }),
  ]
}

async function faucetInstructions(
  faucet: KeyPairSigner,
  mint: Address,
  request: FaucetRequest,
): Promise<Instruction[]> {
  const instructions: Instruction[] = []
  if (request.baseUnits > 0n) {
    const [token] = await findAssociatedTokenPda({
      owner: request.owner,
      mint,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
    })
    instructions.push(
      getCreateAssociatedTokenIdempotentInstruction({
        payer: faucet,
        ata: token,
        owner: request.owner,
        mint,
      }),
      getMintToInstruction({ mint, token, mintAuthority: faucet, amount: request.baseUnits }),
    )
  }
  if (request.lamports > 0n)
    instructions.push(
      getTransferSolInstruction({ source: faucet, destination: request.owner, amount: request.lamports }),
    )
  // Two equal requests in one block would be the same transaction.
  const memo = `faucet ${randomBytes(8).toString('hex')}`
  return [
    ...instructions,
    getAddMemoInstruction({ memo }, { programAddress: LEGACY_MEMO_PROGRAM_ADDRESS_V3 }),
  ]
}

async function run(
  ledger: LocalLedger,
  faucet: KeyPairSigner,
  instructions: Instruction[],
): Promise<Signature> {
  const lifetime = ledger.blocks.latestBlockhash('processed')
  const { wire, signature } = await signWithBlockhash(faucet, lifetime, instructions)
  const rejected = ledger.submit(readTransaction(Buffer.from(wire, 'base64')))
  const failed = rejected ?? ledger.store.status(signature)?.error ?? null
  if (failed !== null) throw new RpcError(INTERNAL_ERROR, `The faucet failed: ${JSON.stringify(failed)}`)
  return signature
}
