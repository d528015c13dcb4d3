import { Buffer } from 'node:buffer'
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '@solana-program/compute-budget'
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import type { Message } from '#server/chain/read-transaction.ts'

const LAMPORTS_PER_SIGNATURE = 5_000n
const MICROLAMPORTS_PER_LAMPORT = 1_000_000n
const MAX_UNITS = 1_400_000n
const BUILTIN_UNITS = 3_000n
const PROGRAM_UNITS = 200_000n
const SET_UNIT_LIMIT = 2
const SET_UNIT_PRICE = 3

/** The fee of a message in lamports: its signatures, and its compute limit at its compute unit price (SIMD-0170). */
export function feeOf(message: Message): bigint {
  let price = 0n
  let limit: bigint | null = null
  let defaultLimit = 0n
  for (const instruction of message.instructions) {
    const program = message.staticAccounts[instruction.programAddressIndex]
    const data = Buffer.from(instruction.data ?? [])
    if (program === COMPUTE_BUDGET_PROGRAM_ADDRESS) {
      if (data[0] === SET_UNIT_LIMIT && data.length === 5) limit = BigInt(data.readUInt32LE(1))
      if (data[0] === SET_UNIT_PRICE && data.length === 9) price = data.readBigUInt64LE(1)
    }
    const builtin = program === COMPUTE_BUDGET_PROGRAM_ADDRESS || program === SYSTEM_PROGRAM_ADDRESS
    defaultLimit += builtin ? BUILTIN_UNITS : PROGRAM_UNITS
  }
  const requestedUnits = limit ?? defaultLimit
  const units = requestedUnits < MAX_UNITS ? requestedUnits : MAX_UNITS
  const priority = (price * units + MICROLAMPORTS_PER_LAMPORT - 1n) / MICROLAMPORTS_PER_LAMPORT
  return BigInt(message.header.numSignerAccounts) * LAMPORTS_PER_SIGNATURE + priority
}
