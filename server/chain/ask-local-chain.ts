import { createDefaultRpcTransport, type RpcTransport } from '@solana/kit'
import { ChainUnavailable, type Address, type Signature } from './port.ts'

/** The faucet can never send this to this owner. A retry does not help. */
export class InvalidFaucetRequest extends Error {}

/** The JSON-RPC error code for invalid parameters. */
const INVALID_PARAMS = -32602
const RESPONSE_TIMEOUT_MS = 30_000

/** The address of a local chain's test mint. Rejects on any other chain. */
export async function askLocalMint(transport: RpcTransport): Promise<Address> {
  return (await ask(transport, 'cottonMint', [])) as Address
}

/**
 * Asks the faucet of the local chain to mint test $COTTON (base units) and to send SOL (lamports) to an owner, in real
 * transactions. Returns their signatures. Rejects with `ChainUnavailable`, or with `InvalidFaucetRequest` if the owner
 * cannot receive them.
 */
export async function askLocalFaucet(
  rpcUrl: string,
  request: { owner: Address; baseUnits: bigint; lamports: bigint },
): Promise<Signature[]> {
  const params = [request.owner, request.baseUnits.toString(), request.lamports.toString()]
  return (await ask(createDefaultRpcTransport({ url: rpcUrl }), 'cottonFaucet', params)) as Signature[]
}

async function ask(transport: RpcTransport, method: string, params: unknown[]): Promise<unknown> {
  const payload = { jsonrpc: '2.0', id: method, method, params }
  const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS)
  try {
    type RpcResponse = { result?: unknown; error?: { code: number; message: string } }
    const { result, error } = await transport<RpcResponse>({ payload, signal })
    if (error?.code === INVALID_PARAMS) throw new InvalidFaucetRequest(error.message)
    if (error !== undefined) throw new Error(error.message)
    return result
  } catch (error) {
    if (error instanceof InvalidFaucetRequest) throw error
    throw new ChainUnavailable(`The local chain refused ${method}: ${String(error)}`, { cause: error })
  }
}
