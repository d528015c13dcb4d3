import Wallet from 'lucide-react/icons/wallet'
import { useSession } from '#web/api/session.ts'
import gate from '#web/art/gate.svg'
import { logInWithPhantom } from '#web/popups/use-log-in.ts'
import { Button } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { messages } from '#web/messages/en.ts'

/** Shown to visitors in place of a player's own page, with a button to log in. */
export function LoginGate({ title, text, className }: { title: string; text: string; className?: string }) {
  const { step } = useSession()
  return (
    <Frame className={className}>
      <Empty picture={<img src={gate} width="320" height="190" alt="" />} title={title} text={text}>
        <Button
          tone="plum"
          busy={step !== 'idle'}
          pressableWhileBusy
          icon={<Wallet aria-hidden="true" />}
          onClick={() => void logInWithPhantom()}
        >
          {messages.wallet.connect}
        </Button>
      </Empty>
    </Frame>
  )
}
