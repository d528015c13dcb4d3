import type { Tier } from '#game/parcels.ts'
import { classNames } from '#web/ui/class-names.ts'
import styles from './lot.module.css'

const TONES: Readonly<Record<Tier, string | undefined>> = {
  1: styles.tier1,
  2: styles.tier2,
  3: styles.tier3,
}

type TierMedalProps = { tier: Tier | undefined; className?: string }

/** A gold, silver or bronze medal with the tier's number. Decorative: a text states the tier. */
export function TierMedal({ tier, className }: TierMedalProps) {
  if (tier === undefined) return null
  return (
    <span className={classNames(styles.tier, TONES[tier], className)}>
      <svg viewBox="0 0 46 54" aria-hidden="true">
        <path
          d="M9 34L4 52l9-3 6 5 5-16ZM37 34l5 18-9-3-6 5-5-16Z"
          fill="#cf3f30"
          stroke="#3a1d07"
          strokeWidth="2.5"
          strokeLinejoin="round"
        />
        <circle cx="23" cy="21" r="19.5" fill="var(--b)" stroke="#3a1d07" strokeWidth="3" />
        <circle cx="23" cy="20" r="15.5" fill="var(--a)" />
        <path
          d="M11 15C14 8 20 6 26 7"
          stroke="#fff"
          strokeWidth="3"
          strokeLinecap="round"
          fill="none"
          opacity=".9"
        />
      </svg>
      <b>{tier}</b>
    </span>
  )
}
