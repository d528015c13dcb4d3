import { type Cotton, formatCotton } from '#game/cotton.ts'
import { classNames } from '#web/ui/class-names.ts'
import { messages } from '#web/messages/en.ts'
import styles from './share-bar.module.css'

export type Share = { name: string; amount: Cotton | null; tone: 'leaf' | 'sun' | 'sky' | 'plum' }

type ShareBarProps = {
  title: string
  total: Cotton | null
  shares: readonly Share[]
  scaleMax: Cotton | null
}

/** A sum and its parts as a bar that `scaleMax` fills. */
export function ShareBar({ title, total, shares, scaleMax }: ShareBarProps) {
  return (
    <section aria-label={title}>
      <h3 className={styles.head}>
        <span>{title}</span>
        <b className="num">
          {formatCotton(total)} <small>{messages.unit}</small>
        </b>
      </h3>
      <div className={styles.track} aria-hidden="true">
        {shares.map(({ name, amount, tone }) =>
          amount !== null && amount > 0n && scaleMax !== null ? (
            <i
              className={classNames(styles.part, styles[tone])}
              style={{ width: `${(Number(amount) / Number(scaleMax)) * 100}%` }}
              key={name}
            />
          ) : null,
        )}
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
