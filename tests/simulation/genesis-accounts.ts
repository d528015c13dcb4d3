import {
  createKeyPairSignerFromPrivateKeyBytes,
  type EncodedAccount,
  type KeyPairSigner,
  lamports,
  none,
  some,
} from '@solana/kit'
import { getNonceEncoder, NonceState, NonceVersion, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import {
  AccountState,
  findAssociatedTokenPda,
  getMintEncoder,
  getTokenEncoder,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { cotton } from '#game/cotton.ts'
import { deriveLaneKey, deriveTreasuryKey } from '#server/signer/keys/derive-keys.ts'
import type { Address } from '#server/chain/port.ts'

/** The seed of the simulated signer. */
export const SIGNER_SEED = new Uint8Array(64).fill(7)

/** The initial pool, in the treasury on the chain. It is small, so that daily budgets are used up. */
export const POOL = cotton(1_000_000)

/** The initial tokens in a player's wallet. */
const WALLET_TOKENS = cotton(100_000)

/** The initial credit of each player, deposited before the history begins. */
export const INITIAL_CREDIT = cotton(300)

const PLAYERS = 3
const OPERATORS = 4
const SOL = 1_000_000_000n

/** The accounts on the chain at the start, the same in every world. */
export type GenesisAccounts = {
  mint: Address
  /** Another token, which the game does not accept. */
  otherMint: Address
  treasury: KeyPairSigner
  /** The operator's cold storage. */
  cold: KeyPairSigner
  players: KeyPairSigner[]
  /** The wallets of operators. They have nothing on the chain. */
  operators: KeyPairSigner[]
  /** The nonce account of the one lane that is open at the start. The signer opens the others. */
  lane: Address
  accounts: EncodedAccount[]
}

export async function createGenesisAccounts(): Promise<GenesisAccounts> {
  const [mint, otherMint, cold, ...players] = (await Promise.all(
    Array.from({ length: 3 + PLAYERS }, (_, at) =>
      createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(20 + at)),
    ),
  )) as [KeyPairSigner, KeyPairSigner, KeyPairSigner, ...KeyPairSigner[]]
  const operators = await Promise.all(
    Array.from({ length: OPERATORS }, (_, at) =>
      createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(60 + at)),
    ),
  )
  const treasury = await deriveTreasuryKey(SIGNER_SEED)
  const inGame = POOL + INITIAL_CREDIT * BigInt(PLAYERS)
  const supply = inGame + WALLET_TOKENS * BigInt(PLAYERS)
  const accounts = [
    mintAccount(mint.address, cold.address, supply),
    mintAccount(otherMint.address, cold.address, supply),
  ]
  const addTokenAccount = async (mint: Address, owner: Address, amount: bigint): Promise<void> =>
    void accounts.push(await tokenAccount({ mint, owner, amount }))
  await addTokenAccount(mint.address, treasury.address, inGame)
  await addTokenAccount(mint.address, cold.address, 0n)
  for (const { address } of players) {
    await addTokenAccount(mint.address, address, WALLET_TOKENS)
    await addTokenAccount(otherMint.address, address, WALLET_TOKENS)
  }
  for (const { address } of [treasury, cold, ...players]) accounts.push(wallet(address))
  const lane = (await deriveLaneKey(SIGNER_SEED, 1)).address
  accounts.push(nonceAccount(lane, treasury.address))
  const mints = { mint: mint.address, otherMint: otherMint.address }
  return { lane, ...mints, treasury, cold, players, operators, accounts }
}

function wallet(address: Address): EncodedAccount {
  return {
    address,
    lamports: lamports(100n * SOL),
    programAddress: SYSTEM_PROGRAM_ADDRESS,
    executable: false,
    space: 0n,
    data: new Uint8Array(),
  }
}

function nonceAccount(address: Address, authority: Address): EncodedAccount {
  const data = getNonceEncoder().encode({
    version: NonceVersion.Current,
    state: NonceState.Initialized,
    authority,
    blockhash: authority,
    lamportsPerSignature: 5_000n,
  })
  return { ...wallet(address), data: data as Uint8Array, space: BigInt(data.length) }
}

function mintAccount(address: Address, authority: Address, supply: bigint): EncodedAccount {
  const data = getMintEncoder().encode({
    mintAuthority: some(authority),
    supply,
    decimals: 6,
    isInitialized: true,
    freezeAuthority: none(),
  })
  return ofTokenProgram(address, data as Uint8Array)
}

async function tokenAccount({ mint, owner, amount }: { mint: Address; owner: Address; amount: bigint }) {
  const [address] = await findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS })
  const data = getTokenEncoder().encode({
    mint,
    owner,
    amount,
    delegate: none(),
    state: AccountState.Initialized,
    isNative: none(),
    delegatedAmount: 0n,
    closeAuthority: none(),
  })
  return ofTokenProgram(address, data as Uint8Array)
}

function ofTokenProgram(address: Address, data: Uint8Array): EncodedAccount {
  return {
    address,
    lamports: lamports(SOL),
    programAddress: TOKEN_PROGRAM_ADDRESS,
    executable: false,
    space: BigInt(data.length),
    data,
  }
}
