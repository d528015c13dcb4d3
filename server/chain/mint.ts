import {
  fetchEncodedAccount,
  isSome,
  type GetAccountInfoApi,
  type ReadonlyUint8Array,
  type Rpc,
} from '@solana/kit'
import { COTTON_DECIMALS as DECIMALS } from '#game/cotton.ts'
import { WrongChain, type Address, type ChainFacts } from './port.ts'
import { readMint } from './token-accounts.ts'

/** The database stores what the treasury holds as a bigint of base units: 9.2 trillion $COTTON. */
const MAX_SUPPLY = 2n ** 63n - 1n
/** Token-2022 appends one byte for the account type, and then extensions, to the bytes of a token account. */
const EXTENSIONS_OFFSET = 165 + 1
/** Extensions that only describe a token. The others can tax, freeze, move or block transfers. */
const HARMLESS_EXTENSIONS = new Map([
  [18, 'metadata pointer'],
  [19, 'token metadata'],
])

/**
 * The properties of the mint that the game relies on. Rejects with `WrongChain` if it is not a plain token with six
 * decimals or, unless `mayFreeze`, if it has a freeze authority, which could block the treasury and every deposit. A
 * removed authority cannot be restored. A new game also refuses a token of which more exists than it can store.
 */
export async function readMintFacts(
  rpc: Rpc<GetAccountInfoApi>,
  { mint, mayFreeze, isNewGame }: { mint: Address; mayFreeze: boolean; isNewGame: boolean },
): Promise<Pick<ChainFacts, 'mint' | 'decimals' | 'tokenProgram'>> {
  const account = await fetchEncodedAccount(rpc, mint, { commitment: 'confirmed' })
  if (!account.exists) throw new WrongChain(`COTTON_MINT: there is no account ${mint} on this chain.`)
  const { programAddress: tokenProgram, data } = account
  const decoded = readMint(account)
  if (decoded === null || !decoded.isInitialized)
    throw new WrongChain(`COTTON_MINT: ${mint} is not the mint of an SPL token.`)
  if (decoded.decimals !== DECIMALS)
    throw new WrongChain(`COTTON_MINT: ${mint} has ${decoded.decimals} decimals, $COTTON has ${DECIMALS}.`)
  if (isNewGame && decoded.supply > MAX_SUPPLY)
    throw new WrongChain(
      `COTTON_MINT: there are more than 9.2 trillion tokens of ${mint}, the most that the game can store.`,
    )
  const unknown = extensionsOf(data).filter((extension) => !HARMLESS_EXTENSIONS.has(extension))
  if (unknown.length > 0)
    throw new WrongChain(
      `COTTON_MINT: ${mint} has token extensions we do not support (${unknown.join(', ')}).`,
    )
  if (!mayFreeze && isSome(decoded.freezeAuthority))
    throw new WrongChain(
      `COTTON_MINT: ${decoded.freezeAuthority.value} can freeze every account of ${mint}, the treasury's too. Set FREEZABLE_TOKEN=allowed if you trust the owner of that key.`,
    )
  return { mint, decimals: decoded.decimals, tokenProgram }
}

/** The types of a mint's extensions, which are stored as (u16 type, u16 length, bytes). */
function extensionsOf(data: ReadonlyUint8Array): number[] {
  const view = new DataView(Uint8Array.from(data).buffer)
  const found: number[] = []
  let at = EXTENSIONS_OFFSET
  while (at + 4 <= view.byteLength) {
    const extension = view.getUint16(at, true)
    if (extension === 0) return found
    found.push(extension)
    at += 4 + view.getUint16(at + 2, true)
  }
  return found
}
