import { base64, fromBase64 } from './bytes.ts'
import { type Connected, featuresOf } from './wallets.ts'

/** What a wallet did with a transaction: sent it itself, or signed it for the server to send. */
export type SentOrSigned = { sent: true } | { sent: false; transaction: string }

/** The clusters that wallets know and can send to. A local or private chain is known to this game only. */
const PUBLIC_CLUSTERS = ['mainnet', 'devnet', 'testnet']

/** Whether the wallet sends the transaction itself. Wallets warn about sites that want to send for them. */
export function sendsItself({ wallet, account }: Connected, cluster: string): boolean {
  if (!('solana:signAndSendTransaction' in wallet.features)) return false
  if (!('solana:signTransaction' in wallet.features)) return true
  return PUBLIC_CLUSTERS.includes(cluster) && account.chains.includes(`solana:${cluster}`)
}

/**
 * Has the wallet sign a base64 transaction and, where it can, send it. Null if it can do neither. Rejects with the
 * wallet's own error.
 */
export async function signAndSend(
  connected: Connected,
  transaction: string,
  cluster: string,
): Promise<SentOrSigned | null> {
  const { wallet, account } = connected
  const features = featuresOf(wallet)
  const chain = `solana:${PUBLIC_CLUSTERS.includes(cluster) ? cluster : 'localnet'}` as const
  const input = { account, chain, transaction: fromBase64(transaction) }
  if (sendsItself(connected, cluster)) {
    const [output] = (await features['solana:signAndSendTransaction']?.signAndSendTransaction(input)) ?? []
    return output ? { sent: true } : null
  }
  const [output] = (await features['solana:signTransaction']?.signTransaction(input)) ?? []
  return output ? { sent: false, transaction: base64(output.signedTransaction) } : null
}
