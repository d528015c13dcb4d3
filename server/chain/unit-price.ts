import { type Address, type Chain, ChainUnavailable } from './port.ts'

/**
 * The price that others pay now to write to this account, in microlamports per compute unit. 0n if no node reports it: not
 * every provider supports this call, and a transaction without a priority fee lands too, only later.
 */
export async function readUnitPrice(chain: Pick<Chain, 'unitPrice'>, account: Address): Promise<bigint> {
  return chain.unitPrice([account]).catch((error: unknown) => {
    if (error instanceof ChainUnavailable) return 0n
    throw error
  })
}
