import stall from '#web/art/stall.svg'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { marketWords } from '#web/words/en-market.ts'

/** Says that the market is still to come (S-23). */
export function MarketPopup({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title={marketWords.notLaunched}
      text={marketWords.notLaunchedText}
      art={{ src: stall, width: 320, height: 200, place: 'pop' }}
      onClose={onClose}
      actions={
        <Button tone="leaf" data-autofocus onClick={onClose}>
          {marketWords.gotIt}
        </Button>
      }
    />
  )
}
