import { walletMessages } from '#web/messages/en-wallets.ts'
import { useStore } from '#web/store.ts'
import { hardwareWallet, setHardwareWallet } from './hardware-wallet.ts'

/** Whether the key is in a hardware wallet. This browser keeps the choice, for everything that is signed. */
export function HardwareChoice({ className, textClass }: { className?: string; textClass?: string }) {
  const isHardware = useStore(hardwareWallet)
  return (
    <label className={className}>
      <input
        type="checkbox"
        checked={isHardware}
        onChange={(event) => setHardwareWallet(event.target.checked)}
      />
      <span>
        {walletMessages.hardware}
        {isHardware ? <span className={textClass}>{walletMessages.hardwareText}</span> : null}
      </span>
    </label>
  )
}
