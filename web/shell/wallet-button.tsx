import { Wallet } from 'lucide-react'
import { useSession } from '#web/api/session.ts'
import { useWalletButton } from '#web/popups/use-log-in.ts'
import { shortAddress } from '#web/ui/short-address.ts'
import { Button } from '#web/ui/button.tsx'
import { words } from '#web/words/en.ts'

export function WalletButton({ block = false }: { block?: boolean }) {
  const { walletAddress, step, loggedIn } = useSession()
  const press = useWalletButton()
  const short = walletAddress ? shortAddress(walletAddress) : null
  return (
    <Button
      tone="plum"
      block={block}
      busy={step !== 'idle'}
      icon={<Wallet aria-hidden="true" />}
      aria-label={loggedIn && short ? words.wallet.openProfile(short) : undefined}
      onClick={press}
    >
      {loggedIn && short ? (
        <span className="num">{short}</span>
      ) : step === 'idle' ? (
        words.wallet.connect
      ) : (
        words.wallet.connecting
      )}
    </Button>
  )
}
