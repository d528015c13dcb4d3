import { Buffer } from 'node:buffer'
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '@solana-program/compute-budget'
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import type { Message } from '#server/chain/read-transaction.ts'

const LAMPORTS_PER_SIGNATURE = 5_000n
const MICRO = 1_000_000n
const MOST_UNITS = 1_400_000n
const UNITS_OF_A_BUILTIN = 3_000n
const UNITS_OF_A_PROGRAM = 200_000n
const SET_UNIT_LIMIT = 2
const SET_UNIT_PRICE = 3

/** What a message costs, lamports: its signatures, and its compute limit at the price that it offers (SIMD-0170). */
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
    defaultLimit += builtin ? UNITS_OF_A_BUILTIN : UNITS_OF_A_PROGRAM
  }
  const wanted = limit ?? defaultLimit
  const units = wanted < MOST_UNITS ? wanted : MOST_UNITS
  const priority = (price * units + MICRO - 1n) / MICRO
  return BigInt(message.header.numSignerAccounts) * LAMPORTS_PER_SIGNATURE + priority
}
