import type { Address, Signature } from '#server/chain/port.ts'
import type { LocalLedger } from './local-ledger.ts'
import { renderAccount, withContext } from './rpc-accounts.ts'
import {
  addressOf,
  commitmentOf,
  configOf,
  INVALID_PARAMS,
  invalid,
  listOf,
  RpcError,
  settledCommitmentOf,
  signatureOf,
  transactionOf,
  type Config,
  type Methods,
} from './rpc-params.ts'
import { errorSentence, type ErrorJson } from './solana-errors.ts'
import { renderTransaction } from './render-transaction.ts'

const MAX_STATUSES = 256
const MAX_HISTORY = 1000
const PREFLIGHT_FAILED = -32002
const SIGNATURE_FAILED = -32003

/** The methods that send, simulate and find transactions. */
export function transactionMethods(ledger: LocalLedger): Methods {
  return {
    sendTransaction: ([wire, config]) => send(ledger, wire, configOf(config)),
    simulateTransaction: ([wire, config]) => simulate(ledger, wire, configOf(config)),
    getSignatureStatuses: ([signatures]) => {
      const wanted = listOf(signatures, MAX_STATUSES, signatureOf)
      return withContext(
        ledger,
        'processed',
        wanted.map((signature) => status(ledger, signature)),
      )
    },
    getSignaturesForAddress: ([address, config]) => history(ledger, addressOf(address), configOf(config)),
    getTransaction: ([signature, options]) => {
      const config = typeof options === 'string' ? { encoding: options } : configOf(options)
      const landed = ledger.find(signatureOf(signature), settledCommitmentOf(config))
      return landed === null ? null : renderTransaction(landed, config)
    },
  }
}

function send(ledger: LocalLedger, wire: unknown, config: Config): Signature {
  const decoded = transactionOf(wire, config.encoding)
  if (config.skipPreflight !== true) {
    const simulated = ledger.simulate(decoded, { verifySignatures: true })
    if (simulated.error === 'SignatureFailure')
      throw new RpcError(SIGNATURE_FAILED, 'Transaction signature verification failure')
    if (simulated.error !== null)
      throw new RpcError(
        PREFLIGHT_FAILED,
        `Transaction simulation failed: ${errorSentence(simulated.error)}`,
        renderSimulation(simulated),
      )
  }
  // A node also returns the signature of a transaction that no block will include.
  ledger.submit(decoded)
  return decoded.signature
}

function simulate(ledger: LocalLedger, wire: unknown, config: Config): unknown {
  const decoded = transactionOf(wire, config.encoding)
  const commitment = commitmentOf(config)
  const replace = config.replaceRecentBlockhash === true
  const verifySignatures = config.sigVerify === true
  if (replace && verifySignatures)
    throw new RpcError(INVALID_PARAMS, 'sigVerify may not be used with replaceRecentBlockhash')
  const simulated = ledger.simulate(decoded, { verifySignatures, anyLifetime: replace })
  return withContext(ledger, commitment, {
    ...renderSimulation(simulated),
    accounts: simulatedAccounts(ledger, simulated, config.accounts),
    replacementBlockhash: replace ? ledger.blocks.latestBlockhash(commitment) : null,
  })
}

function simulatedAccounts(
  ledger: LocalLedger,
  { postAccounts }: ReturnType<LocalLedger['simulate']>,
  accounts: unknown,
): unknown {
  if (accounts === undefined) return null
  const after = postAccounts()
  const { addresses, encoding = 'base64' } = configOf(accounts)
  return listOf(addresses, MAX_STATUSES, addressOf).map((address) => {
    const found = after.find((account) => account.address === address)
    const account = found ?? ledger.account(address, 'processed')
    return renderAccount(ledger, account, { encoding })
  })
}

function renderSimulation(simulated: ReturnType<LocalLedger['simulate']>) {
  const { error, logs, unitsConsumed, fee, loaded } = simulated
  return {
    err: error,
    logs,
    accounts: null as unknown,
    unitsConsumed,
    fee,
    loadedAddresses: loaded,
    loadedAccountsDataSize: 0,
    innerInstructions: null,
    returnData: null,
    replacementBlockhash: null as unknown,
    preBalances: null,
    postBalances: null,
    preTokenBalances: null,
    postTokenBalances: null,
  }
}

function status(ledger: LocalLedger, signature: Signature): unknown {
  const found = ledger.store.status(signature)
  if (found === null) return null
  const confirmationStatus = ledger.blocks.commitmentOf(found.slot)
  return {
    slot: found.slot,
    confirmations: confirmationStatus === 'finalized' ? null : ledger.blocks.slot() - found.slot,
    err: found.error,
    status: resultOf(found.error),
    confirmationStatus,
  }
}

function resultOf(error: ErrorJson | null): unknown {
  return error === null ? { Ok: null } : { Err: error }
}

function history(ledger: LocalLedger, address: Address, config: Config): unknown {
  const { limit = MAX_HISTORY } = config
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > MAX_HISTORY)
    throw invalid(`Invalid limit; max ${MAX_HISTORY}`)
  return ledger.store
    .history(address, {
      slot: ledger.blocks.slot(settledCommitmentOf(config)),
      before: config.before === undefined ? null : signatureOf(config.before),
      until: config.until === undefined ? null : signatureOf(config.until),
      limit,
    })
    .map(({ signature, slot, blockTime, error, memo }) => ({
      signature,
      slot,
      blockTime,
      err: error,
      memo,
      confirmationStatus: ledger.blocks.commitmentOf(slot),
    }))
}
