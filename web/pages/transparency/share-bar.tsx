import { formatCotton } from '#game/cotton.ts'
import { classNames } from '#web/ui/class-names.ts'
import { messages } from '#web/messages/en.ts'
import styles from './share-bar.module.css'

export type Share = { name: string; amount: number; tone: 'leaf' | 'sun' | 'sky' | 'plum' }

type ShareBarProps = { title: string; total: number; shares: readonly Share[]; scaleMax: number }

/** A sum and the parts that it is made of, drawn on the scale on which `scaleMax` fills the bar. */
export function ShareBar({ title, total, shares, scaleMax }: ShareBarProps) {
  return (
    <section className={styles.share} aria-label={title}>
      <h3 className={styles.head}>
        <span>{title}</span>
        <b className="num">
          {formatCotton(total)} <small>{messages.unit}</small>
        </b>
      </h3>
      <div className={styles.track} aria-hidden="true">
        {shares
          .filter((share) => share.amount > 0)
          .map((share) => (
            <i
              className={classNames(styles.part, styles[share.tone])}
              style={{ width: `${(share.amount / scaleMax) * 100}%` }}
              key={share.name}
            />
          ))}
      </div>
      <dl className={styles.legend}>
        {shares.map((share) => (
          <div className={styles.entry} key={share.name}>
            <dt>
              <i className={classNames(styles.dot, styles[share.tone])} />
              {share.name}
            </dt>
            <dd className="num">{formatCotton(share.amount)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
