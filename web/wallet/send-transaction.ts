import type { readChain } from '#contract/chain.ts'
import type { ReplyOf } from '#contract/route.ts'
import { base64, fromBase64 } from './bytes.ts'
import { type Connected, featuresOf } from './wallets.ts'

/** What a wallet did with a transaction: sent it itself, or signed it for the server to send. */
export type SentOrSigned = { sent: true } | { sent: false; transaction: string }

/** `cluster` names the rules of the game. A chain that no explorer covers is known to this game only, whatever it is called. */
export type GameChain = Pick<ReplyOf<typeof readChain>, 'cluster' | 'explorer'>

/**
 * The blockhash of a deposit is confirmed, and final only seconds later. A node that checks the transaction looks for it in
 * the last final block by default, and refuses a player who signs sooner.
 */
const OPTIONS = { preflightCommitment: 'confirmed' } as const

/** The chain as wallets name it. */
const nameOf = ({ cluster, explorer }: GameChain): `solana:${string}` =>
  `solana:${explorer === null ? 'localnet' : cluster}`

/**
 * Whether the wallet sends the transaction itself. Wallets warn about sites that want to send for them. On devnet and testnet
 * the game sends: a wallet may send to the cluster of its own settings instead, and report success.
 */
export function sendsItself({ wallet, account }: Connected, chain: GameChain): boolean {
  if (!('solana:signAndSendTransaction' in wallet.features)) return false
  if (!('solana:signTransaction' in wallet.features)) return true
  return nameOf(chain) === 'solana:mainnet' && account.chains.includes('solana:mainnet')
}

/**
 * Has the wallet sign a base64 transaction and, where it can, send it. Null if it can do neither. Rejects with the
 * wallet's own error.
 */
export async function signAndSend(
  connected: Connected,
  transaction: string,
  chain: GameChain,
): Promise<SentOrSigned | null> {
  const { wallet, account } = connected
  const features = featuresOf(wallet)
  const input = { account, chain: nameOf(chain), transaction: fromBase64(transaction), options: OPTIONS }
  if (sendsItself(connected, chain)) {
    const [output] = (await features['solana:signAndSendTransaction']?.signAndSendTransaction(input)) ?? []
    return output ? { sent: true } : null
  }
  const [output] = (await features['solana:signTransaction']?.signTransaction(input)) ?? []
  return output ? { sent: false, transaction: base64(output.signedTransaction) } : null
}
