import { createDefaultRpcTransport, type RpcTransport } from '@solana/kit'
import { ChainUnavailable, type Address, type Signature } from '../port.ts'

const ANSWER_WITHIN_MS = 30_000

/** The address of a local chain's test mint. Rejects on any other chain. */
export async function askLocalMint(transport: RpcTransport): Promise<Address> {
  return (await ask(transport, 'cottonMint', [])) as Address
}

/**
 * Has the faucet of the local chain mint test $COTTON (base units) and send SOL (lamports) to an owner, in real
 * transactions; gives their signatures. Rejects with `ChainUnavailable`.
 */
export async function askLocalFaucet(
  rpcUrl: string,
  gift: { owner: Address; baseUnits: bigint; lamports: bigint },
): Promise<Signature[]> {
  const params = [gift.owner, gift.baseUnits.toString(), gift.lamports.toString()]
  return (await ask(createDefaultRpcTransport({ url: rpcUrl }), 'cottonFaucet', params)) as Signature[]
}

async function ask(transport: RpcTransport, method: string, params: unknown[]): Promise<unknown> {
  const payload = { jsonrpc: '2.0', id: method, method, params }
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  try {
    const { result, error } = await transport<{ result?: unknown; error?: { message: string } }>({
      payload,
      signal,
    })
    if (error !== undefined) throw new Error(error.message)
    return result
  } catch (error) {
    throw new ChainUnavailable(`The local chain refused ${method}: ${String(error)}`, { cause: error })
  }
}
