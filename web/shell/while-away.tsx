import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { type Cotton, shown, ZERO } from '#game/cotton.ts'
import { claimable } from '#game/workers.ts'
import { accrualOf } from '#web/api/accrual.ts'
import { type OwnedWorker, useOwnedWorkers } from '#web/api/use-owned-workers.ts'
import { useServerNow } from '#web/api/use-server-now.ts'
import coin from '#web/art/coin.svg'
import flag from '#web/art/icons/flag.webp'
import inbox from '#web/art/icons/inbox.webp'
import outbox from '#web/art/icons/outbox.webp'
import scroll from '#web/art/icons/scroll.webp'
import { faces } from '#web/art/pictures.ts'
import { paths } from '#web/paths.ts'
import { shownOrExact } from '#web/messages/amount.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { CloseButton } from '#web/ui/close-button.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { awayWords } from '#web/messages/en-away.ts'
import { fullMoment, shownMoment } from '#web/messages/locale.ts'
import type { Happening } from './happenings.ts'
import { type Absence, readAbsence } from './read-absence.ts'
import { behindMenu } from './use-drawer.ts'
import styles from './while-away.module.css'

type Back = { walletAddress: string; since: number }

/** Tells a player who comes back, once, what waits for them and what happened meanwhile; nothing where that is nothing. */
export function WhileAway({ walletAddress, since }: Back) {
  const [closed, setClosed] = useState(false)
  const { data: absence } = useQuery({
    queryKey: ['mine', 'absence', walletAddress, since],
    queryFn: ({ signal }) => readAbsence({ walletAddress, since, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data, isError } = useOwnedWorkers({ refresh: false })
  const workers = data ?? (isError ? [] : undefined)
  const hasClaimed = useHasClaimed(workers)
  if (!absence || !workers || closed || hasClaimed) return null
  // Who has never claimed is led to it by the first steps.
  const told = workers.some((worker) => worker.claimedGeneratedTokens > 0) ? workers : []
  if (told.length === 0 && absence.happenings.length === 0) return null
  return <Summary absence={absence} workers={told} close={() => setClosed(true)} />
}

/** A claim is the answer to the summary: after it the figures are of another day. */
function useHasClaimed(workers: readonly OwnedWorker[] | undefined): boolean {
  const claimed = workers?.reduce((sum, worker) => sum + worker.claimedGeneratedTokens, 0)
  const [first, setFirst] = useState(claimed)
  if (first === undefined && claimed !== undefined) setFirst(claimed)
  return first !== undefined && claimed !== undefined && claimed > first
}

type SummaryProps = { absence: Absence; workers: readonly OwnedWorker[]; close: () => void }

function Summary({ absence: { since, happenings }, workers, close }: SummaryProps) {
  const box = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const now = useServerNow(workers.length > 0)
  const ready = workers.reduce((sum, worker) => (sum + claimable(accrualOf(worker), now)) as Cotton, ZERO)
  const moment = shownMoment(since.toISOString())

  const leave = (): void => {
    // The focus would fall out of the page with the card.
    if (box.current?.contains(document.activeElement)) {
      document.getElementById('main')?.focus({ preventScroll: true })
    }
    close()
  }
  useEscape(leave)
  const lines = happenings.map(lineOf)
  const all = ready > 0n ? [readyLine(ready, workers.length), ...lines] : lines
  return (
    <>
      <Spoken text={awayWords.spoken(moment, all.map(sayLine))} />
      <Frame {...behindMenu} small ref={box} className={styles.card} aria-labelledby="while-away-title">
        <CloseButton label={awayWords.close} className={styles.close} onClick={leave} />
        <img className={styles.face} src={faces.grandma} width="80" height="80" alt="" />
        <h2 className={styles.title} id="while-away-title">
          {awayWords.title}
        </h2>
        <p className={styles.since} title={fullMoment(since.toISOString())}>
          {awayWords.since(moment)}
        </p>
        <ul className={styles.lines}>
          {all.map((line) => (
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
        {ready > 0n && pathname !== paths.myFarm ? (
          <Link className={buttonClass({ tone: 'sun', size: 'sm', block: true })} to={paths.myFarm}>
            {awayWords.fields}
          </Link>
        ) : null}
      </Frame>
    </>
  )
}

/** From anywhere on the page, since the card may lie over what has the focus; what is open above it closes first. */
function useEscape(leave: () => void): void {
  const onKey = useEffectEvent(({ key }: KeyboardEvent): void => {
    const covered =
      document.querySelector('dialog[open]') ?? document.querySelector('[data-behind-menu][inert]')
    if (key === 'Escape' && !covered) leave()
  })
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

/** Long enough for a screen reader to have found the place where it will be told something. */
const SPOKEN_AFTER_MS = 500

/** Said once: what ticks in the card would be said every second. */
function Spoken({ text }: { text: string }) {
  const [first] = useState(text)
  const [said, setSaid] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSaid(first), SPOKEN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [first])
  return <output className="vh">{said}</output>
}

type Line = { label: string; text: string | null; amount: string; picture: string }

const sayLine = ({ label, text, amount }: Line): string => `${label}${text ? ` (${text})` : ''}: ${amount}`

const readyLine = (ready: Cotton, pickers: number): Line => ({
  label: awayWords.ready,
  text: awayWords.readyText(pickers),
  amount: shown(ready),
  picture: coin,
})

const PICTURES = { sold: flag, deposit: inbox, paid: outbox, refunded: inbox, adjustment: scroll }

/** More names than these would make the card a list. */
const MOST_NAMES = 3

function lineOf({ kind, count, amount, names }: Happening): Line {
  const label = count > 1 ? `${awayWords[kind]} ${awayWords.times(count)}` : awayWords[kind]
  const text =
    kind === 'sold'
      ? awayWords.soldText(names.slice(0, MOST_NAMES), Math.max(0, names.length - MOST_NAMES))
      : kind === 'paid'
        ? awayWords.paidText
        : null
  const sign = kind === 'paid' ? '' : amount < 0 ? '−' : '+'
  return { label, text, amount: `${sign}${shownOrExact(Math.abs(amount))}`, picture: PICTURES[kind] }
}
