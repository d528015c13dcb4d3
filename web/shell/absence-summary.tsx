import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { baseUnits, type Cotton, formatCotton, sumOf } from '#game/cotton.ts'
import { claimable } from '#game/workers.ts'
import { accrualOf } from '#web/api/accrual.ts'
import { type OwnedWorker, useOwnedWorkers } from '#web/api/use-owned-workers.ts'
import { useServerNow } from '#web/api/use-server-now.ts'
import coin from '#web/art/coin.svg'
import flag from '#web/art/icons/flag.webp'
import inbox from '#web/art/icons/inbox.webp'
import outbox from '#web/art/icons/outbox.webp'
import scroll from '#web/art/icons/scroll.webp'
import { workerArt } from '#web/art/worker-art.ts'
import { paths } from '#web/paths.ts'
import { formatAmount } from '#web/messages/amount.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { CloseButton } from '#web/ui/close-button.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { summaryShown } from '#web/ui/open-dialogs.ts'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { awayMessages } from '#web/messages/en-away.ts'
import { formatFullMoment, formatMoment } from '#web/messages/locale.ts'
import type { EventSummary } from './summarize-absence.ts'
import { type Absence, readAbsence } from './read-absence.ts'
import { ClaimAllButton } from './claim-all-button.tsx'
import { behindMenu } from './behind-menu.ts'
import type { ReturnVisit } from './use-return-visit.ts'
import styles from './absence-summary.module.css'

/** Shows a returning player, once, what can be claimed and what happened during the absence; nothing if there is neither. */
export function AbsenceSummary({ walletAddress, since }: ReturnVisit) {
  const [closed, setClosed] = useState(false)
  const { data: absence } = useQuery({
    queryKey: ['mine', 'absence', walletAddress, since],
    queryFn: ({ signal }) => readAbsence({ walletAddress, since, signal }),
    // Never again, not even after an outage: a second read would find that the player is back.
    staleTime: 'static',
  })
  const { data, errorUpdateCount } = useOwnedWorkers({ refresh: false })
  // A read that has failed is still a failed one while it is tried again.
  const workers = data ?? (errorUpdateCount > 0 ? [] : undefined)
  const hasClaimed = useHasClaimed(data)
  if (!absence || !workers || closed || hasClaimed) return null
  // The first steps lead players who have never claimed.
  const claimingWorkers = workers.some((worker) => worker.claimedGeneratedTokens > 0n) ? workers : []
  if (claimingWorkers.length === 0 && absence.events.length === 0) return null
  return <SummaryCard absence={absence} workers={claimingWorkers} close={() => setClosed(true)} />
}

/** Whether the player has claimed since the summary was shown, which makes its figures obsolete. */
function useHasClaimed(workers: readonly OwnedWorker[] | undefined): boolean {
  const claimed = workers && sumOf(workers.map((worker) => worker.claimedGeneratedTokens))
  const [first, setFirst] = useState(claimed)
  if (first === undefined && claimed !== undefined) setFirst(claimed)
  return first !== undefined && claimed !== undefined && claimed > first
}

type SummaryCardProps = { absence: Absence; workers: readonly OwnedWorker[]; close: () => void }

function SummaryCard({ absence: { since, events }, workers, close }: SummaryCardProps) {
  useEffect(() => {
    summaryShown.set(true)
    return () => summaryShown.set(false)
  }, [])
  const box = useRef<HTMLElement>(null)
  // Also when a claim from the card removes it.
  useFocusFallback(box, 'main')
  const { pathname } = useLocation()
  const now = useServerNow(workers.length > 0)
  const ready = sumOf(workers.map((worker) => claimable(accrualOf(worker), now)))
  const moment = formatMoment(since.toISOString())

  useEscape(close)
  const eventLines = events.map(toLine)
  const lines = ready > 0n ? [readyLine(ready, workers.length), ...eventLines] : eventLines
  return (
    <>
      <LiveAnnouncement text={awayMessages.spoken(moment, lines.map(spokenLine))} />
      <Frame {...behindMenu} small ref={box} className={styles.card} aria-labelledby="while-away-title">
        <CloseButton label={awayMessages.close} className={styles.close} onClick={close} />
        <img className={styles.face} src={workerArt.grandma.face} width="80" height="80" alt="" />
        <h2 className={styles.title} id="while-away-title">
          {awayMessages.title}
        </h2>
        <p className={styles.since} title={formatFullMoment(since.toISOString())}>
          {awayMessages.since(moment)}
        </p>
        <ul className={styles.lines}>
          {lines.map((line) => (
            <li key={line.label}>
              <img src={line.picture} width="36" height="36" alt="" />
              <span>
                <b>{line.label}</b>
                {line.text ? <small>{line.text}</small> : null}
              </span>
              <span className="num">{line.amount}</span>
            </li>
          ))}
        </ul>
        {ready > 0n ? (
          <div className={styles.actions}>
            <ClaimAllButton amount={formatCotton(ready)} />
            {pathname === paths.myFarm ? null : (
              <Link className={buttonClass({ size: 'sm' })} to={paths.myFarm}>
                {awayMessages.fields}
              </Link>
            )}
          </div>
        ) : null}
      </Frame>
    </>
  )
}

/** Escape closes the card from anywhere on the page, because the card may cover the focus. Dialogs close first. */
function useEscape(dismiss: () => void): void {
  const onKey = useEffectEvent(({ key }: KeyboardEvent): void => {
    const covered =
      document.querySelector('dialog[open]') ?? document.querySelector('[data-behind-menu][inert]')
    if (key === 'Escape' && !covered) dismiss()
  })
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

/** Time for a screen reader to register the live region. */
const ANNOUNCE_AFTER_MS = 500

/** Announces the text once: the card's ticking figure would be announced every second. */
function LiveAnnouncement({ text }: { text: string }) {
  const [first] = useState(text)
  const [announced, setAnnounced] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(first), ANNOUNCE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [first])
  return <output className="vh">{announced}</output>
}

type SummaryLine = { label: string; text: string | null; amount: string; picture: string }

const spokenLine = ({ label, text, amount }: SummaryLine): string =>
  `${label}${text ? ` (${text})` : ''}: ${amount}`

const readyLine = (ready: Cotton, pickers: number): SummaryLine => ({
  label: awayMessages.ready,
  text: awayMessages.readyText(pickers),
  amount: formatCotton(ready),
  picture: coin,
})

const PICTURES = { sold: flag, deposit: inbox, paid: outbox, refunded: inbox, adjustment: scroll }

/** More names than these would make the card a list. */
const MAX_NAMES = 3

function toLine({ kind, count, amount, names }: EventSummary): SummaryLine {
  const label = count > 1 ? `${awayMessages[kind]} ${awayMessages.times(count)}` : awayMessages[kind]
  const text =
    kind === 'sold'
      ? awayMessages.soldText(names.slice(0, MAX_NAMES), Math.max(0, names.length - MAX_NAMES))
      : kind === 'paid'
        ? awayMessages.paidText
        : null
  const isNegative = amount !== null && amount < 0n
  const sign = kind === 'paid' ? '' : isNegative ? '−' : '+'
  const size = isNegative ? baseUnits(-amount) : amount
  return { label, text, amount: `${sign}${formatAmount(size)}`, picture: PICTURES[kind] }
}
