import { zstdCompressSync } from 'node:zlib'
import {
  getAddressEncoder,
  getBase58Decoder,
  unwrapOption,
  type MaybeEncodedAccount,
  type ReadonlyUint8Array,
} from '@solana/kit'
import type { Address, Commitment } from '#server/chain/port.ts'
import { readMint, readToken, TOKEN_PROGRAMS } from '#server/chain/token-accounts.ts'
import type { LocalLedger } from './local-ledger.ts'
import { lamportsOf } from './virtual-machine.ts'
import {
  addressOf,
  commitmentOf,
  configOf,
  INVALID_PARAMS,
  invalid,
  listOf,
  RpcError,
  type Config,
  type Methods,
} from './rpc-params.ts'
import { uiAmount } from './token-rows.ts'

const MAX_ACCOUNTS_PER_CALL = 100
const RENT_EXEMPT_EPOCH = 18_446_744_073_709_551_615n
const TOKEN_STATES = ['uninitialized', 'initialized', 'frozen']
/** Where a token account stores its owner. */
const OWNER_AT = 32
const ADDRESS_BYTES = 32

/** The methods that read accounts. */
export function accountMethods(ledger: LocalLedger): Methods {
  const answerAt = (config: Config, value: (commitment: Commitment) => unknown) => {
    const commitment = commitmentOf(config)
    return withContext(ledger, commitment, value(commitment))
  }
  return {
    getBalance: ([address, config]) => {
      const account = (commitment: Commitment) => ledger.account(addressOf(address), commitment)
      return answerAt(configOf(config), (commitment) => lamportsOf(account(commitment)))
    },
    getAccountInfo: ([address, options]) => {
      const config = configOf(options)
      return answerAt(config, (commitment) =>
        renderAccount(ledger, ledger.account(addressOf(address), commitment), config),
      )
    },
    getMultipleAccounts: ([addresses, options]) => {
      const config = { encoding: 'base64', ...configOf(options) }
      const wanted = listOf(addresses, MAX_ACCOUNTS_PER_CALL, addressOf)
      return answerAt(config, (commitment) =>
        wanted.map((address) => renderAccount(ledger, ledger.account(address, commitment), config)),
      )
    },
    getMinimumBalanceForRentExemption: ([bytes]) => {
      if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 0) throw invalid('Invalid')
      return ledger.rentFor(BigInt(bytes))
    },
    getTokenAccountBalance: ([address, config]) =>
      answerAt(configOf(config), (commitment) => {
        const token = readToken(ledger.account(addressOf(address), commitment))
        if (token === null) throw invalid('could not find account')
        return uiAmount(token.amount, decimalsOf(ledger, token.mint, commitment))
      }),
    getTokenSupply: ([address, config]) =>
      answerAt(configOf(config), (commitment) => {
        const mint = readMint(ledger.account(addressOf(address), commitment))
        if (mint === null) throw invalid('could not find mint')
        return uiAmount(mint.supply, mint.decimals)
      }),
    getTokenAccountsByOwner: ([owner, filter, options]) => {
      const config = { encoding: 'base64', ...configOf(options) }
      return answerAt(config, (commitment) =>
        tokenAccounts(ledger, { owner: addressOf(owner), filter, config, commitment }),
      )
    },
  }
}

export function withContext(ledger: LocalLedger, commitment: Commitment, value: unknown): unknown {
  return { context: { apiVersion: '4.2.0', slot: ledger.blocks.slot(commitment) }, value }
}

/** An account in the requested encoding. */
export function renderAccount(ledger: LocalLedger, account: MaybeEncodedAccount, config: Config): unknown {
  if (!account.exists) return null
  const parsed = config.encoding === 'jsonParsed' ? parseAccount(ledger, account) : null
  return {
    lamports: account.lamports,
    owner: account.programAddress,
    executable: account.executable,
    rentEpoch: RENT_EXEMPT_EPOCH,
    space: account.data.length,
    data: parsed ?? encodeData(sliceData(account.data, config.dataSlice), config.encoding),
  }
}

function sliceData(data: ReadonlyUint8Array, slice: unknown): Uint8Array {
  const bytes = Uint8Array.from(data)
  if (slice === undefined) return bytes
  const { offset, length } = configOf(slice)
  if (typeof offset !== 'number' || typeof length !== 'number') throw invalid('dataSlice')
  return bytes.slice(offset, offset + length)
}

function encodeData(data: Uint8Array, encoding: unknown): unknown {
  switch (encoding) {
    case 'base64':
    case 'jsonParsed':
      return [Buffer.from(data).toString('base64'), 'base64']
    case 'base64+zstd':
      return [zstdCompressSync(data).toString('base64'), 'base64+zstd']
    case undefined:
      return getBase58Decoder().decode(requireShort(data))
    case 'base58':
      return [getBase58Decoder().decode(requireShort(data)), 'base58']
    default:
      throw invalid('unsupported encoding')
  }
}

function requireShort(data: Uint8Array): Uint8Array {
  if (data.length <= 128) return data
  throw new RpcError(
    INVALID_PARAMS,
    'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
  )
}

function decimalsOf(ledger: LocalLedger, mint: Address, commitment: Commitment): number {
  return readMint(ledger.account(mint, commitment))?.decimals ?? 0
}

function parseAccount(ledger: LocalLedger, account: MaybeEncodedAccount & { exists: true }): unknown {
  const wrap = (type: string, info: unknown) => {
    return { program: 'spl-token', space: account.data.length, parsed: { type, info } }
  }
  const token = readToken(account)
  if (token !== null)
    return wrap('account', {
      isNative: unwrapOption(token.isNative) !== null,
      mint: token.mint,
      owner: token.owner,
      state: TOKEN_STATES[token.state],
      tokenAmount: uiAmount(token.amount, decimalsOf(ledger, token.mint, 'processed')),
    })
  const mint = readMint(account)
  if (mint === null) return null
  return wrap('mint', {
    decimals: mint.decimals,
    supply: mint.supply.toString(),
    isInitialized: mint.isInitialized,
    mintAuthority: unwrapOption(mint.mintAuthority),
    freezeAuthority: unwrapOption(mint.freezeAuthority),
  })
}

function tokenAccounts(
  ledger: LocalLedger,
  of: { owner: Address; filter: unknown; config: Config; commitment: Commitment },
): unknown[] {
  const { mint, programId } = configOf(of.filter)
  if ((mint === undefined) === (programId === undefined)) throw invalid('name either a mint or a programId')
  const wantedMint = mint === undefined ? null : addressOf(mint)
  const programs = programId === undefined ? TOKEN_PROGRAMS : [addressOf(programId)]
  const ownerBytes = Buffer.from(getAddressEncoder().encode(of.owner))
  return programs
    .filter((program) => TOKEN_PROGRAMS.includes(program))
    .flatMap((program) => ledger.accountsOf(program))
    .map(({ address }) => ledger.account(address, of.commitment))
    .filter((account) => {
      // Only the owner's accounts are decoded, because decoding takes thirty times as long as comparing bytes.
      if (!account.exists || !ownerBytes.equals(account.data.slice(OWNER_AT, OWNER_AT + ADDRESS_BYTES)))
        return false
      const token = readToken(account)
      return token !== null && token.owner === of.owner && (wantedMint === null || token.mint === wantedMint)
    })
    .map((account) => ({ pubkey: account.address, account: renderAccount(ledger, account, of.config) }))
}
