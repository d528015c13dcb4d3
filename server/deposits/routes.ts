import { readChain } from '#contract/chain.ts'
import * as contract from '#contract/deposits.ts'
import { fromWire, toWire } from '#game/cotton.ts'
import { walletBytes } from '#server/account/wallet-signature.ts'
import { type Chain, ChainUnavailable } from '#server/chain/port.ts'
import { refuse } from '#server/platform/answer.ts'
import { assert } from '#server/platform/assert.ts'
import { callerKeyOf } from '#server/platform/http/caller-address.ts'
import { type Client, ok, type Serve } from '#server/platform/http/serve.ts'
import { limitByName } from '#server/platform/limit-by-name.ts'
import { checkDeposit } from './check-deposit.ts'
import type { ScanDeps } from './credit-deposits.ts'
import { findDepositAddress } from './find-address.ts'
import { type CountNewAddress, limitNewAddresses } from './limit-new-addresses.ts'
import { prepareDeposit } from './prepare-deposit.ts'
import { readUncredited } from './read-uncredited.ts'
import { readWalletBalance } from './read-wallet-balance.ts'
import { submitDeposit } from './submit-deposit.ts'
import { useFaucet } from './use-faucet.ts'

export type DepositDeps = ScanDeps & {
  /** The URL of the local chain; null on any other chain, which has no faucet. */
  localRpcUrl: string | null
  /** Whether one caller is limited in what it uses of nodes and addresses. Those of the local chain cost nothing. */
  limited?: boolean
}

// An api's calls to a node wait in one queue, because their rate is limited. Without this, a caller with forty calls a second
// would fill it, and the calls of all other players would be refused.
const OF_A_CALLER = { max: 8, maxWaiting: 40 }

// A check reads up to fifty transactions of a history, some of them at once, and one transaction can be in the histories of
// many wallets. Without this, those of eight checks would fill the queue.
const RECEIPTS_OF_A_CALLER = { max: 8, maxWaiting: Infinity }

/** Serves the deposit address, the deposit check, deposits from within the game, and the local faucet. */
export function depositRoutes(serve: Serve, deps: DepositDeps): void {
  const { chain, localRpcUrl } = deps
  const countNewAddress: CountNewAddress = deps.limited ? limitNewAddresses(deps.clock) : () => () => {}
  const countFor = (client: () => Client) => () => countNewAddress(callerKeyOf(client().address))
  const takeTurnOf = limitByName(OF_A_CALLER)
  const inTurn = <T>(client: () => Client, call: () => Promise<T>): Promise<T> =>
    deps.limited ? takeTurnOf(callerKeyOf(client().address), call) : call()
  const takeReceiptOf = limitByName(RECEIPTS_OF_A_CALLER)
  const chainFor = (client: () => Client): Chain => {
    if (!deps.limited) return chain
    const caller = callerKeyOf(client().address)
    const limit = <Node extends Pick<Chain, 'receipt'>>(node: Node): Node => ({
      ...node,
      receipt: (...of: Parameters<Chain['receipt']>) => takeReceiptOf(caller, () => node.receipt(...of)),
    })
    // One that a node omits, or that a large deposit needs, is read from each node.
    return { ...limit(chain), nodes: chain.nodes.map((node) => limit(node)) }
  }

  serve(contract.readDepositAddress, async ({ player, client }) => {
    const address = await findDepositAddress(deps, player.wallet, countFor(client))
    if (!address) refuse('busy')
    return ok({ depositWallet: address.owner })
  })

  serve(contract.checkDeposit, ({ player, client }) =>
    inTurn(client, () => checkDeposit({ ...deps, chain: chainFor(client) }, player.wallet)),
  )

  serve(contract.readWalletBalance, async ({ player, client }) => {
    const read = () => refuseUnreachable(readWalletBalance(chain, player.wallet))
    return ok({ amount: toWire(await inTurn(client, read)) })
  })

  serve(contract.prepareDeposit, async ({ player, body, client }) => {
    const amount = fromWire(body.amount)
    assert(amount, 'the contract rejects other amounts')
    const of = { wallet: player.wallet, amount, countNew: countFor(client) }
    return ok(await inTurn(client, () => refuseUnreachable(prepareDeposit(deps, of))))
  })

  serve(contract.submitDeposit, async ({ player, body, client }) => {
    const of = { wallet: player.wallet, transaction: body.transaction }
    return ok({ signature: await inTurn(client, () => refuseUnreachable(submitDeposit(deps, of))) })
  })

  serve(contract.readDeposits, async ({ player, query }) =>
    ok(await readUncredited(deps.db, player.wallet, query.before)),
  )

  serve(readChain, async () => {
    const { cluster, mint, decimals, explorer } = chain.facts
    return { cluster, mint, decimals, explorer }
  })

  if (localRpcUrl !== null) {
    serve(contract.useFaucet, async ({ body }) => {
      if (!walletBytes(body.walletAddress)) {
        refuse('malformed', { field: 'walletAddress', problem: 'is not a wallet address' })
      }
      return ok(await refuseUnreachable(useFaucet(localRpcUrl, body.walletAddress)))
    })
  }
}

async function refuseUnreachable<T>(result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (error) {
    if (error instanceof ChainUnavailable) refuse('chain_unreachable')
    throw error
  }
}
