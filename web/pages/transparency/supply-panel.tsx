import { formatCotton } from '#game/cotton.ts'
import type { Transparency } from '#web/api/use-transparency.ts'
import coin from '#web/art/coin.svg'
import basket from '#web/art/icons/basket.webp'
import inbox from '#web/art/icons/inbox.webp'
import outbox from '#web/art/icons/outbox.webp'
import { frameBody, Panel } from '#web/ui/frame.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { transparencyMessages as text } from '#web/messages/en-transparency.ts'
import styles from './transparency.module.css'

const KINDS = [
  ['deposited', inbox],
  ['earned', basket],
  ['pool', coin],
  ['held', outbox],
] as const

/** The amount of each kind of credit, and what backs it. */
export function SupplyPanel({ supply }: { supply: Transparency['supply'] }) {
  return (
    <Panel title={text.supply} id="supply" tone="neutral">
      <dl className={classNames(frameBody, styles.list)}>
        {KINDS.map(([kind, picture]) => {
          const [name, means] = text.supplies[kind]
          return (
            <div className={styles.item} key={kind}>
              <dt>
                <img src={picture} width="42" height="42" alt="" />
                <span>
                  <b>{name}</b>
                  <small>{means}</small>
                </span>
              </dt>
              <dd className="num">{formatCotton(supply[kind])}</dd>
            </div>
          )
        })}
      </dl>
    </Panel>
  )
}
