import { baseUnits } from '#game/cotton.ts'
import { coveredPercent } from '#web/api/covered-percent.ts'
import type { Reserve, Transparency } from '#web/api/use-transparency.ts'
import check from '#web/art/icons/check.webp'
import magnifier from '#web/art/icons/magnifier.webp'
import warning from '#web/art/icons/warning.webp'
import { classNames } from '#web/ui/class-names.ts'
import { Empty } from '#web/ui/empty.tsx'
import { Panel } from '#web/ui/frame.tsx'
import { Note } from '#web/ui/note.tsx'
import { transparencyMessages as text } from '#web/messages/en-transparency.ts'
import { formatFullMoment, formatMoment } from '#web/messages/locale.ts'
import { type Share, ShareBar } from './share-bar.tsx'
import styles from './transparency.module.css'

type ReservePanelProps = { reserve: Transparency['reserve']; supply: Transparency['supply'] }

/** Tokens on the chain and what the game owes, as two bars of one scale. */
export function ReservePanel({ reserve, supply }: ReservePanelProps) {
  return (
    <Panel title={text.reserve} id="reserve" className={styles.wide}>
      {reserve ? (
        <ReserveBars reserve={reserve} supply={supply} />
      ) : (
        <Empty
          picture={<img src={magnifier} width="128" height="128" alt="" />}
          title={text.notChecked}
          text={text.notCheckedText}
        />
      )}
    </Panel>
  )
}

function ReserveBars({ reserve, supply }: { reserve: Reserve; supply: Transparency['supply'] }) {
  const { tokens, owed, treasury, cold, depositAccounts, inFlight, standing, at, slot } = reserve
  const assets: Share[] = [
    { name: text.treasury, amount: treasury, tone: 'leaf' },
    ...(cold === 0n ? [] : [{ name: text.cold, amount: cold, tone: 'sun' } as const]),
    { name: text.depositAccounts, amount: depositAccounts, tone: 'sky' },
    ...(inFlight === 0n ? [] : [{ name: text.inFlight, amount: inFlight, tone: 'plum' } as const]),
  ]
  const liabilities: Share[] = [
    { name: text.pool, amount: supply.pool, tone: 'leaf' },
    { name: text.deposited, amount: supply.deposited, tone: 'sun' },
    { name: text.held, amount: supply.held, tone: 'sky' },
  ]
  const scaleMax = tokens === null || owed === null ? null : tokens > owed ? tokens : owed
  return (
    <div className={styles.reserve}>
      <p className={classNames(styles.seal, styles[standing] ?? styles.unseen)}>
        <b className={`${styles.percent} num`}>{text.percent(coveredPercent(reserve))}</b>
        <span>{text.ofOwed}</span>
      </p>
      <div className={styles.bars}>
        <ShareBar title={text.tokens} total={tokens} shares={assets} scaleMax={scaleMax} />
        <ShareBar title={text.owed} total={owed} shares={liabilities} scaleMax={scaleMax} />
      </div>
      <div className={styles.verdict}>
        <ReserveVerdict reserve={reserve} />
        <p className={styles.small} title={formatFullMoment(at)}>
          {text.checkedAt(formatMoment(at), slot)} {text.explanation}
        </p>
        <ColdWallets wallets={reserve.coldWallets} />
      </div>
    </div>
  )
}

/** With the addresses anyone can check the tokens on the chain. */
function ColdWallets({ wallets }: { wallets: readonly string[] }) {
  if (wallets.length === 0) return null
  return (
    <details className={styles.cold}>
      <summary>{text.coldWallets(wallets.length)}</summary>
      <p className={styles.small}>{text.coldText}</p>
      <ul>
        {wallets.map((wallet) => (
          <li key={wallet}>
            <code>{wallet}</code>
          </li>
        ))}
      </ul>
    </details>
  )
}

function ReserveVerdict({ reserve: { standing, tokens, owed } }: { reserve: Reserve }) {
  const surplus = tokens === null || owed === null ? null : baseUnits(tokens - owed)
  if (standing === 'short') {
    return (
      <Note tone="bad" picture={warning} role="alert">
        {text.short(surplus === null ? null : baseUnits(-surplus))}
      </Note>
    )
  }
  if (standing === 'unconfirmed') return <Note picture={warning}>{text.unconfirmed}</Note>
  // A standing that only a newer server knows may not be good.
  if (standing !== 'covered') return <Note picture={warning}>{text.unseen}</Note>
  return (
    <Note tone="ok" picture={check}>
      {surplus !== null && surplus > 0n ? text.coveredMore(surplus) : text.covered}
    </Note>
  )
}
