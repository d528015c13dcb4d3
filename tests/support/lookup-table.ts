import {
  AccountRole,
  getAddressEncoder,
  getProgramDerivedAddress,
  getU64Encoder,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit'
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import type { Address, Chain } from '#server/chain/port.ts'

const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111' as Address

const bytesOf = (address: Address) => Buffer.from(getAddressEncoder().encode(address))

/** A lookup table with these addresses (Solana: AddressLookupTable program, create and extend). */
export async function buildLookupTable(
  chain: Chain,
  payer: KeyPairSigner,
  addresses: readonly Address[],
): Promise<{ table: Address; setupInstructions: Instruction[] }> {
  const slot = Buffer.from(getU64Encoder().encode(await chain.slot('finalized')))
  const [table, bump] = await getProgramDerivedAddress({
    programAddress: LOOKUP_TABLE_PROGRAM,
    seeds: [bytesOf(payer.address), slot],
  })
  const count = Buffer.from(getU64Encoder().encode(BigInt(addresses.length)))
  const accounts = [
    { address: table, role: AccountRole.WRITABLE },
    { address: payer.address, role: AccountRole.READONLY_SIGNER, signer: payer },
    { address: payer.address, role: AccountRole.WRITABLE_SIGNER, signer: payer },
    { address: SYSTEM_PROGRAM_ADDRESS, role: AccountRole.READONLY },
  ]
  const instruction = (data: Buffer): Instruction => ({
    programAddress: LOOKUP_TABLE_PROGRAM,
    accounts,
    data,
  })
  const create = Buffer.concat([Buffer.from([0, 0, 0, 0]), slot, Buffer.from([bump])])
  const extend = Buffer.concat([Buffer.from([2, 0, 0, 0]), count, ...addresses.map(bytesOf)])
  return { table, setupInstructions: [instruction(create), instruction(extend)] }
}
