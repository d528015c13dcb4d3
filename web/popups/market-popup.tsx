import type { TypeFacts } from '#web/api/use-worker-types.ts'
import stall from '#web/art/stall.svg'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { marketMessages } from '#web/messages/en-market.ts'
import { WorkerOffer } from './worker-offer.tsx'

type MarketPopupProps = {
  worker?: { type: TypeFacts; isSample: boolean; owned: number | undefined }
  onClose: () => void
}

/** The offer of a picker, with the button to hire it; without a picker, a note that the market is not open yet (S-21, S-23). */
export function MarketPopup({ worker, onClose }: MarketPopupProps) {
  if (worker) return <WorkerOffer {...worker} onClose={onClose} />
  return (
    <Dialog
      title={marketMessages.notLaunched}
      text={marketMessages.notLaunchedText}
      art={{ src: stall, width: 320, height: 200, place: 'pop' }}
      onClose={onClose}
      actions={
        <Button tone="leaf" data-autofocus onClick={onClose}>
          {marketMessages.gotIt}
        </Button>
      }
    />
  )
}
