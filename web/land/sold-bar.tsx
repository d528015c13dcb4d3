import { SOLD_LABEL_ABOVE_PERCENT, soldBarColour, soldPercent } from '#game/parcels.ts'
import type { UpdatePath } from '#web/realtime/land-changes.ts'
import { Bar } from '#web/ui/bar.tsx'
import { landMessages } from '#web/messages/en-land.ts'

/** From here on the label stands on the fill; below it does not fit there, and stands across the bar. */
const FITS_FROM_PERCENT = 45

type SoldBarProps = { owned: number; total: number; path: UpdatePath; region: string; large?: boolean }

/** How much of a continent is sold: colour by the way on which the figure came, words only above 15 % (spec §9). */
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
