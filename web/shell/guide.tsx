import { X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { ZERO } from '#game/cotton.ts'
import { useBalance } from '#web/api/use-balance.ts'
import { useChain } from '#web/api/use-chain.ts'
import { useOwnedWorkers } from '#web/api/use-owned-workers.ts'
import { useSession } from '#web/api/session.ts'
import { useSite } from '#web/api/use-site.ts'
import { useWalletBalance } from '#web/api/use-wallet-balance.ts'
import { useWorkerTypes } from '#web/api/use-worker-types.ts'
import boll from '#web/art/boll.svg'
import { workerArt } from '#web/art/worker-art.ts'
import { paths } from '#web/paths.ts'
import { openLogin } from '#web/popups/login-store.ts'
import { TermsLink } from '#web/popups/terms-link.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Frame } from '#web/ui/frame.tsx'
import { guideMessages } from '#web/messages/en-guide.ts'
import { closeGuide } from './guide-store.ts'
import styles from './guide.module.css'
import { type PlayerFacts, lowestPrice, nextStep, stepIndex, type Step, STEPS } from './next-step.ts'

/**
 * The next step of a new player, with a link to it; `placeholder` while it is unknown, and nothing if the workers cannot be
 * loaded. Disappears permanently after the first claim, or when the player hides it.
 */
export function FirstSteps({ placeholder }: { placeholder: ReactNode }) {
  const facts = usePlayerFacts()
  const step = nextStep(facts)
  const { isLoadingError } = useOwnedWorkers()
  useEffect(() => {
    if (step === 'finished') closeGuide('done')
  }, [step])
  if (step === null) return isLoadingError ? null : placeholder
  if (step === 'finished') return null
  return (
    <Frame small className={styles.guide} aria-label={guideMessages.label}>
      <div className={styles.message} aria-live="polite">
        <img className={styles.face} src={workerArt.grandad.face} width="80" height="80" alt="" />
        <p className={styles.title}>
          <span className="vh">{guideMessages.progress(stepIndex(step) + 1, STEPS.length)}</span>
          {guideMessages[step].title}
        </p>
        <p className={styles.text}>
          <StepText step={step} facts={facts} />
        </p>
      </div>
      <div className={styles.action}>
        <Progress done={stepIndex(step)} />
        <StepAction step={step} />
      </div>
      <button type="button" className={styles.hide} aria-label={guideMessages.hide} onClick={hide}>
        <X aria-hidden="true" />
      </button>
    </Frame>
  )
}

/** Moves the focus to the page, because the focused button disappears. */
function hide(): void {
  closeGuide('hidden')
  document.getElementById('main')?.focus({ preventScroll: true })
}

function usePlayerFacts(): PlayerFacts {
  const { loggedIn } = useSession()
  const balance = useBalance()
  const { data: workers } = useOwnedWorkers()
  const { types, isSample } = useWorkerTypes()
  const prices = isSample ? undefined : types?.filter((type) => type.available > 0).map(({ price }) => price)
  const enabled = balance !== undefined && balance < lowestPrice(prices) && workers?.length === 0
  const inWallet = useWalletBalance({ enabled })
  return {
    loggedIn,
    workers,
    balance,
    prices,
    inWallet: inWallet.data ?? (inWallet.isError ? null : undefined),
  }
}

function StepText({ step, facts }: { step: Step; facts: PlayerFacts }): ReactNode {
  const isLocal = useChain()?.cluster === 'local'
  switch (step) {
    case 'wallet':
      return isLocal ? guideMessages.wallet.local : guideMessages.wallet.text
    case 'tokens':
      return isLocal ? guideMessages.tokens.local : guideMessages.tokens.text(lowestPrice(facts.prices))
    case 'deposit':
      return guideMessages.deposit.text(facts.inWallet ?? ZERO)
    case 'hire':
      return (
        <>
          {guideMessages.hire.text} <TermsLink />
        </>
      )
    case 'claim':
      return guideMessages.claim.text
  }
}

function StepAction({ step }: { step: Step }): ReactNode {
  const isLocal = useChain()?.cluster === 'local'
  const tokenUrl = useSite()?.tokenUrl
  switch (step) {
    case 'wallet':
      return (
        <Button tone="plum" size="sm" onClick={() => openLogin()}>
          {guideMessages.wallet.action}
        </Button>
      )
    case 'tokens':
      if (isLocal) return <StepLink to={paths.testTokens}>{guideMessages.tokens.faucet}</StepLink>
      return (
        <>
          <StepLink to={paths.deposit}>{guideMessages.tokens.action}</StepLink>
          {tokenUrl ? (
            <a className={styles.more} href={tokenUrl} target="_blank" rel="noopener noreferrer">
              {guideMessages.tokens.where}
            </a>
          ) : null}
        </>
      )
    case 'deposit':
      return <StepLink to={paths.deposit}>{guideMessages.deposit.action}</StepLink>
    case 'hire':
      return <StepLink to={paths.buyPickers}>{guideMessages.hire.action}</StepLink>
    case 'claim':
      return <StepLink to={paths.myFarm}>{guideMessages.claim.action}</StepLink>
  }
}

/** A link to the step, unless it is the current page. */
function StepLink({ to, children }: { to: string; children: ReactNode }) {
  const { pathname, search, hash } = useLocation()
  if (to === `${pathname}${search}${hash}`) return null
  return (
    <Link className={buttonClass({ tone: 'leaf', size: 'sm' })} to={to}>
      {children}
    </Link>
  )
}

/** One boll for each step, ripe when the step is done. */
function Progress({ done }: { done: number }) {
  return (
    <span className={styles.progress} aria-hidden="true">
      {STEPS.map((step, index) => (
        <img
          key={step}
          className={classNames(index < done ? styles.done : index === done ? styles.now : styles.open)}
          src={boll}
          width="26"
          height="26"
          alt=""
        />
      ))}
    </span>
  )
}
