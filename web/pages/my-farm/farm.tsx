import type { CSSProperties } from 'react'
import { Link } from 'react-router'
import { readyAt } from '#web/api/use-ready.ts'
import type { OwnedWorker } from '#web/api/use-owned-workers.ts'
import { HarvestBoard } from '#web/goals/harvest-board.tsx'
import { useServerNow } from '#web/api/use-server-now.ts'
import { FarmScene, FarmSceneSymbol, SCENE } from '#web/art/farm-scene.tsx'
import { paths } from '#web/paths.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { farmMessages } from '#web/messages/en-farm.ts'
import styles from './farm.module.css'
import { Field } from './field.tsx'
import { plotsAt } from './plots.ts'
import { Totals } from './totals.tsx'
import { useClaimEverything } from './use-claim.ts'

/** The totals and the fields. They are computed by the rules of the game every second, in the server's time. */
export function Farm({ workers }: { workers: readonly OwnedWorker[] }) {
  const now = useServerNow()
  const plots = plotsAt(workers, now)
  const everything = useClaimEverything(plots)
  const owned = plots.filter(({ count }) => count > 0).length
  return (
    <>
      <Totals plots={plots} ready={readyAt(workers, now)} everything={everything} />
      <Frame className={styles.farm} aria-label={farmMessages.fields}>
        <div className={styles.scene} data-alone={owned === 1 || undefined}>
          <FarmSceneSymbol />
          <FarmScene className={styles.backdrop} viewBox={`0 0 ${SCENE.width} ${SCENE.height}`} />
          <Fireflies />
          {plots.map((plot, at) => (
            <Field key={plot.type} plot={plot} column={at} everything={everything} />
          ))}
        </div>
      </Frame>
      {owned > 0 ? (
        <p className={styles.all}>
          <Link className={buttonClass({ size: 'sm' })} to={paths.workers}>
            {farmMessages.allPickers}
          </Link>
        </p>
      ) : null}
      <HarvestBoard />
    </>
  )
}

const FIREFLIES = [
  [9, 62],
  [21, 48],
  [33, 70],
  [45, 55],
  [58, 64],
  [69, 46],
  [81, 68],
  [93, 54],
] as const

/** Lights over the fields at night. */
function Fireflies() {
  return FIREFLIES.map(([x, y], at) => (
    <i
      key={x}
      className={styles.firefly}
      style={{ '--x': `${x}%`, '--y': `${y}%`, '--at': at } as CSSProperties}
    />
  ))
}
