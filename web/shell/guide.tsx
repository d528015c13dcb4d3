import X from 'lucide-react/icons/x'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type Cotton, sumOf } from '#game/cotton.ts'
import { useSession } from '#web/api/session.ts'
import { useOwnedWorkers } from '#web/api/use-owned-workers.ts'
import boll from '#web/art/boll.svg'
import { workerArt } from '#web/art/worker-art.ts'
import { useStore } from '#web/store.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Confetti } from '#web/ui/confetti.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { guideMessages } from '#web/messages/en-guide.ts'
import { awaitFirstHarvest, celebrate, claimingWallet, firstHarvest } from './first-harvest.ts'
import { closeGuide } from './guide-store.ts'
import styles from './guide.module.css'
import { GUIDE_ID, HarvestAction, StepAction, StepText } from './guide-step.tsx'
import { nextStep, stepIndex, STEPS } from './next-step.ts'
import { usePlayerFacts } from './use-player-facts.ts'

/**
 * The next step of a new player, with a button that does it or leads to it; `placeholder` while it is unknown, and nothing
 * if the workers cannot be loaded. The first claim is celebrated in the same place. After that, or when the player hides
 * it, it disappears permanently.
 */
export function FirstSteps({ placeholder }: { placeholder: ReactNode }) {
  const facts = usePlayerFacts()
  const step = nextStep(facts)
  const { walletAddress } = useSession()
  const guided = useStore(claimingWallet)
  const isFirstClaim = step === 'finished' && guided !== null && guided === walletAddress
  const { isLoadingError } = useOwnedWorkers()
  useEffect(() => {
    if (step === 'claim') awaitFirstHarvest(walletAddress)
    if (step === 'finished' && !isFirstClaim) closeGuide('done')
  }, [step, walletAddress, isFirstClaim])
  if (step === null) return isLoadingError ? null : placeholder
  if (step === 'finished') return isFirstClaim ? <FirstHarvest workers={facts.workers ?? []} /> : null
  return (
    <Guide
      step={step}
      done={stepIndex(step)}
      title={
        <>
          <span className="vh">{guideMessages.progress(stepIndex(step) + 1, STEPS.length)}</span>
          <span>{guideMessages[step].title}</span>
        </>
      }
      text={<StepText step={step} facts={facts} />}
      action={<StepAction step={step} facts={facts} />}
      onHide={() => closeGuide('hidden')}
    />
  )
}

/** The amount of the first claim and the next step, until it is dismissed. */
function FirstHarvest({ workers }: { workers: readonly { claimedGeneratedTokens: Cotton }[] }) {
  const harvest = useStore(firstHarvest)
  const [isNew] = useState(harvest === null)
  const amount = harvest ?? sumOf(workers.map(({ claimedGeneratedTokens }) => claimedGeneratedTokens))
  useEffect(() => celebrate(amount), [amount])
  const dismiss = (): void => closeGuide('done')
  return (
    <Guide
      step="harvest"
      done={STEPS.length}
      title={guideMessages.harvest.title(amount)}
      text={guideMessages.harvest.text}
      action={<HarvestAction dismiss={dismiss} />}
      onHide={dismiss}
    >
      {isNew ? <Confetti /> : null}
    </Guide>
  )
}

type GuideProps = {
  step: string
  done: number
  title: ReactNode
  text: ReactNode
  action: ReactNode
  onHide: () => void
  children?: ReactNode
}

function Guide({ step, done, title, text, action, onHide, children }: GuideProps) {
  const hide = (): void => {
    onHide()
    // The focused button disappears.
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <Frame small className={styles.guide} id={GUIDE_ID} tabIndex={-1} aria-label={guideMessages.label}>
      <div className={styles.message} aria-live="polite">
        <img className={styles.face} src={workerArt.grandad.face} width="80" height="80" alt="" />
        <p className={styles.title}>{title}</p>
        <p className={styles.text}>{text}</p>
      </div>
      <Action key={step} done={done}>
        {action}
      </Action>
      <button type="button" className={styles.hide} aria-label={guideMessages.hide} onClick={hide}>
        <X aria-hidden="true" />
      </button>
      {children}
    </Frame>
  )
}

/** The progress and the step's button. When the next step replaces it, the guide takes over its focus. */
function Action({ done, children }: { done: number; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useFocusFallback(place, GUIDE_ID)
  return (
    <div className={styles.action} ref={place}>
      <Progress done={done} />
      {children}
    </div>
  )
}

/** One boll for each step, ripe when the step is done. */
function Progress({ done }: { done: number }) {
  return (
    <span className={styles.progress} aria-hidden="true">
      {STEPS.map((step, index) => (
        <img
          key={step}
          className={classNames(index === done && styles.now, index > done && styles.open)}
          src={boll}
          width="26"
          height="26"
          alt=""
        />
      ))}
    </span>
  )
}
