import type { CSSProperties } from 'react'
import { SOLD_LABEL_ABOVE_PERCENT, soldBarColour, soldPercent } from '#game/parcels.ts'
import type { NewsPath } from '#web/realtime/land-news.ts'
import { classNames } from '#web/ui/class-names.ts'
import { landWords } from '#web/words/en-land.ts'
import styles from './sold-bar.module.css'

/** From here on the label stands on the fill; below it does not fit there, and stands across the bar. */
const ROOM_FROM_PERCENT = 45

type SoldBarProps = { owned: number; total: number; path: NewsPath; region: string; large?: boolean }

/** How much of a continent is sold: colour by the way on which the figure came, words only above 15 % (spec §9). */
export function SoldBar({ owned, total, path, region, large = false }: SoldBarProps) {
  const percent = soldPercent({ owned, total })
  const colour = soldBarColour(percent, path)
  return (
    <div
      className={classNames(styles.bar, styles[colour], large && styles.large)}
      style={{ '--v': `${percent}%` } as CSSProperties}
      data-colour={colour}
    >
      <progress
        className="vh"
        aria-label={landWords.soldLabel(region)}
        aria-valuetext={landWords.sold(percent)}
        value={percent}
        max={100}
      />
      <div className={styles.fill} />
      {percent > SOLD_LABEL_ABOVE_PERCENT ? (
        <span className={classNames(styles.label, percent < ROOM_FROM_PERCENT && styles.across)}>
          {landWords.sold(percent)}
        </span>
      ) : null}
    </div>
  )
}
