import { type CSSProperties, useLayoutEffect } from 'react'
import cloud from '#web/art/cloud.svg'
import { Landscape } from '#web/art/landscape.tsx'
import mill from '#web/art/mill.svg'
import { classNames } from '#web/ui/class-names.ts'
import { timeOfDay } from './time-of-day.ts'
import styles from './world.module.css'

const CLOUDS = [
  { '--y': '12%', '--k': 1.1, '--d': '150s', '--dl': '-40s', '--rest': '14vw' },
  { '--y': '6%', '--k': 0.62, '--d': '190s', '--dl': '-110s', '--o': 0.85, '--rest': '44vw' },
  { '--y': '26%', '--k': 0.7, '--d': '170s', '--dl': '-85s', '--o': 0.9, '--rest': '70vw' },
  { '--y': '34%', '--k': 0.5, '--d': '210s', '--dl': '-20s', '--o': 0.8, '--rest': '30vw' },
] as readonly Record<string, string | number>[] as readonly CSSProperties[]

const MINUTE_MS = 60_000

/** The landscape in which every page stands, in the light of the player's own hour. */
export function World({ dim }: { dim: boolean }) {
  // Before the first paint, so that no night begins with a flash of day.
  useLayoutEffect(() => {
    const light = (): void => {
      document.documentElement.dataset.time = timeOfDay(new Date().getHours())
    }
    light()
    const timer = setInterval(light, MINUTE_MS)
    return () => clearInterval(timer)
  }, [])

  return (
    <div className={classNames(styles.world, dim && styles.dim)} aria-hidden="true">
      <Landscape className={styles.landscape} />
      {CLOUDS.map((place) => (
        <img key={JSON.stringify(place)} className={styles.cloud} style={place} src={cloud} alt="" />
      ))}
      <img className={styles.mill} src={mill} alt="" />
    </div>
  )
}
