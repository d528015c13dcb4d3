import { type Address, generateKeyPairSigner, getAddressEncoder } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
} from '@solana-program/token'
import { type CaseContext, TOKEN_2022 } from './case-context.ts'

type MintContext = Pick<CaseContext, 'make' | 'payer'> & { owner: Address }

/** A Token-2022 mint with metadata in the mint itself (TokenMetadata). */
export async function buildNamedMint({ make, payer, owner }: MintContext) {
  const mint = await generateKeyPairSigner()
  const at = { programAddress: TOKEN_2022 }
  const [ata] = await findAssociatedTokenPda({ owner, mint: mint.address, tokenProgram: TOKEN_2022 })
  const pointer = extension(
    mint.address,
    Buffer.concat([Buffer.from([39, 0]), bytesOf(payer), bytesOf(mint)]),
  )
  const create = await make({ account: mint, space: 234, program: TOKEN_2022 })
  // The metadata enlarges the account later, so its rent is paid in advance.
  const rent = getTransferSolInstruction({ source: payer, destination: mint.address, amount: 5_000_000n })
  const initialise = { mint: mint.address, decimals: 6, mintAuthority: payer.address }
  const texts = ['Cotton Farm', '$COTTON', 'https://farm.test'].map((text) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(text.length)
    return Buffer.concat([length, Buffer.from(text)])
  })
  const name = {
    programAddress: TOKEN_2022,
    accounts: [
      { address: mint.address, role: 1 },
      { address: payer.address, role: 0 },
      { address: mint.address, role: 0 },
      { address: payer.address, role: 2, signer: payer },
    ],
    // The discriminator of "initialize" (SPL token metadata interface).
    data: Buffer.concat([Buffer.from('d2e11ea258b84d8d', 'hex'), ...texts]),
  }
  const open = { payer, ata, owner, mint: mint.address, tokenProgram: TOKEN_2022 }
  const made = [
    create,
    rent,
    pointer,
    getInitializeMint2Instruction(initialise, at),
    name,
    getCreateAssociatedTokenIdempotentInstruction(open),
  ]
  return { mint: mint.address, ata, made }
}

/** A Token-2022 mint with a fee of 1 % on transfers, and a function that pays with it. */
export async function buildFeeToken({ make, payer, owner }: MintContext) {
  const mint = await generateKeyPairSigner()
  const at = { programAddress: TOKEN_2022 }
  const ataOf = async (of: Address) =>
    (await findAssociatedTokenPda({ owner: of, mint: mint.address, tokenProgram: TOKEN_2022 }))[0]
  const [from, to] = [await ataOf(payer.address), await ataOf(owner)]
  // TransferFeeExtension (26), InitializeTransferFeeConfig (0), no authorities, 100 basis points, no ceiling
  const tax = Buffer.concat([Buffer.from([26, 0, 0, 0, 100, 0]), Buffer.alloc(8, 0xff)])
  const open = (ata: Address, of: Address) =>
    getCreateAssociatedTokenIdempotentInstruction({
      payer,
      ata,
      owner: of,
      mint: mint.address,
      tokenProgram: TOKEN_2022,
    })
  const initialise = { mint: mint.address, decimals: 6, mintAuthority: payer.address }
  const issue = { mint: mint.address, token: from, mintAuthority: payer, amount: 1_000_000n }
  const made = [
    await make({ account: mint, space: getMintSize() + 278 - 82, program: TOKEN_2022 }),
    extension(mint.address, tax),
    getInitializeMint2Instruction(initialise, at),
    open(from, payer.address),
    open(to, owner),
    getMintToInstruction(issue, at),
  ]
  const pay = (amount: bigint) => {
    const data = Buffer.alloc(10)
    data[0] = 12
    data.writeBigUInt64LE(amount, 1)
    data[9] = 6
    const accounts = [
      { address: from, role: 1 },
      { address: mint.address, role: 0 },
      { address: to, role: 1 },
      { address: payer.address, role: 2, signer: payer },
    ]
    return { programAddress: TOKEN_2022, accounts, data }
  }
  return { made, pay }
}

const bytesOf = ({ address }: { address: Address }) => Buffer.from(getAddressEncoder().encode(address))

const extension = (mint: Address, data: Buffer) => ({
  programAddress: TOKEN_2022,
  accounts: [{ address: mint, role: 1 }],
  data,
})
