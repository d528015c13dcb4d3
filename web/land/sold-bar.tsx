import { SOLD_LABEL_ABOVE_PERCENT, soldBarColour, soldPercent } from '#game/parcels.ts'
import type { UpdatePath } from '#web/realtime/land-changes.ts'
import { Bar } from '#web/ui/bar.tsx'
import { landMessages } from '#web/messages/en-land.ts'

/** From this percentage on the label fits on the fill. Below it is centred on the bar. */
const FITS_FROM_PERCENT = 45

type SoldBarProps = { owned: number; total: number; path: UpdatePath; region: string; large?: boolean }

/** The sold share of a continent. The colour depends on the source of the figure; the label shows above 15 % (spec §9). */
export function SoldBar({ owned, total, path, region, large = false }: SoldBarProps) {
  const percent = soldPercent({ owned, total })
  return (
    <Bar
      size={large ? 'huge' : 'small'}
      tone={soldBarColour(percent, path)}
      percent={percent}
      label={landMessages.soldLabel(region)}
      caption={landMessages.sold(percent)}
      captionOn={captionOn(percent)}
      moving
    />
  )
}

function captionOn(percent: number) {
  if (percent <= SOLD_LABEL_ABOVE_PERCENT) return 'nowhere'
  return percent < FITS_FROM_PERCENT ? 'bar' : 'fill'
}
