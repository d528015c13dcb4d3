import Wallet from 'lucide-react/icons/wallet'
import { useSession } from '#web/api/session.ts'
import { useWalletAction } from '#web/popups/use-log-in.ts'
import { shortAddress } from '#web/ui/short-address.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { messages } from '#web/messages/en.ts'

/** Blank text with the width of a short address. */
const BLANK_ADDRESS = `${'\u2007'.repeat(6)}…${'\u2007'.repeat(4)}`

type WalletButtonProps = {
  block?: boolean
  /** `icon` is for players only: a visitor needs the text. */
  size?: 'sm' | 'icon'
  onPress?: () => void
}

export function WalletButton({ block = false, size, onPress }: WalletButtonProps) {
  const { walletAddress, step, loggedIn, known } = useSession()
  const press = useWalletAction()
  const short = walletAddress ? shortAddress(walletAddress) : null
  return (
    <Button
      tone="plum"
      block={block}
      size={size}
      busy={step !== 'idle'}
      pressableWhileBusy
      icon={<Wallet aria-hidden="true" />}
      aria-label={
        loggedIn && short
          ? messages.wallet.openProfile(short)
          : size === 'icon'
            ? messages.menu.profile
            : undefined
      }
      onClick={() => {
        onPress?.()
        press()
      }}
    >
      {size === 'icon' ? null : !known ? (
        <>
          <span className="for-visitor">{messages.wallet.connect}</span>
          <span className={classNames('for-player', 'num')}>{BLANK_ADDRESS}</span>
        </>
      ) : loggedIn && short ? (
        <span className="num">{short}</span>
      ) : step === 'idle' ? (
        messages.wallet.connect
      ) : (
        messages.wallet.connecting
      )}
    </Button>
  )
}
