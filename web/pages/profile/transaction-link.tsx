import { useChain } from '#web/api/use-chain.ts'
import { shortAddress } from '#web/ui/short-address.ts'
import { withdrawalMessages } from '#web/messages/en-withdrawals.ts'
import { messages } from '#web/messages/en.ts'

/** A link to the transaction in an explorer, or its signature if the chain has no explorer. */
export function TransactionLink({ signature }: { signature: string }) {
  const explorer = useChain()?.explorer
  return (
    <small>
      {withdrawalMessages.transaction}{' '}
      {explorer ? (
        <a href={explorer.replace('{signature}', signature)} target="_blank" rel="noopener noreferrer">
          {shortAddress(signature)}
          <span className="vh"> {messages.newTab}</span>
        </a>
      ) : (
        <span title={signature}>{shortAddress(signature)}</span>
      )}
    </small>
  )
}
