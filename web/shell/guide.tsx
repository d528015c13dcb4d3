import { X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { useBalance } from '#web/api/use-balance.ts'
import { useChain } from '#web/api/use-chain.ts'
import { useOwnedWorkers } from '#web/api/use-owned-workers.ts'
import { useSession } from '#web/api/session.ts'
import { useSite } from '#web/api/use-site.ts'
import { useWalletBalance } from '#web/api/use-wallet-balance.ts'
import { useWorkerTypes } from '#web/api/use-worker-types.ts'
import boll from '#web/art/boll.svg'
import { faces } from '#web/art/pictures.ts'
import { paths } from '#web/paths.ts'
import { openLogin } from '#web/popups/login-store.ts'
import { TermsLink } from '#web/popups/terms-link.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Frame } from '#web/ui/frame.tsx'
import { guideWords } from '#web/messages/en-guide.ts'
import { closeGuide } from './guide-store.ts'
import styles from './guide.module.css'
import { type Known, leastPrice, nextStep, placeOf, type Step, STEPS } from './next-step.ts'

/** The panel of test tokens on the profile. */
const FAUCET = `${paths.profile}#test-tokens`

/**
 * The next step of a newcomer, and the way to it; `place` while it is not known, and nothing where it cannot be. Gone for
 * good after the first claim, or when it was hidden.
 */
export function FirstSteps({ place }: { place: ReactNode }) {
  const known = useKnown()
  const step = nextStep(known)
  const { isLoadingError } = useOwnedWorkers()
  useEffect(() => {
    if (step === 'past') closeGuide('done')
  }, [step])
  if (step === null) return isLoadingError ? null : place
  if (step === 'past') return null
  return (
    <Frame small className={styles.guide} aria-label={guideWords.label}>
      <div className={styles.words} aria-live="polite">
        <img className={styles.face} src={faces.grandad} width="80" height="80" alt="" />
        <p className={styles.title}>
          <span className="vh">{guideWords.progress(placeOf(step) + 1, STEPS.length)}</span>
          {guideWords[step].title}
        </p>
        <p className={styles.text}>
          <Text step={step} known={known} />
        </p>
      </div>
      <div className={styles.action}>
        <Progress done={placeOf(step)} />
        <Action step={step} />
      </div>
      <button type="button" className={styles.hide} aria-label={guideWords.hide} onClick={hide}>
        <X aria-hidden="true" />
      </button>
    </Frame>
  )
}

/** The focus would fall out of the page with the button that had it. */
function hide(): void {
  closeGuide('hidden')
  document.getElementById('main')?.focus({ preventScroll: true })
}

function useKnown(): Known {
  const { loggedIn } = useSession()
  const balance = useBalance()
  const { data: workers } = useOwnedWorkers()
  const { types, isSample } = useWorkerTypes()
  const prices = isSample ? undefined : types?.filter((type) => type.available > 0).map(({ price }) => price)
  const enabled = balance !== undefined && balance < leastPrice(prices) && workers?.length === 0
  const inWallet = useWalletBalance({ enabled })
  return {
    loggedIn,
    workers,
    balance,
    prices,
    inWallet: inWallet.data ?? (inWallet.isError ? null : undefined),
  }
}

function Text({ step, known }: { step: Step; known: Known }): ReactNode {
  const isLocal = useChain()?.cluster === 'local'
  switch (step) {
    case 'wallet':
      return isLocal ? guideWords.wallet.local : guideWords.wallet.text
    case 'tokens':
      return isLocal ? guideWords.tokens.local : guideWords.tokens.text(leastPrice(known.prices))
    case 'deposit':
      return guideWords.deposit.text(known.inWallet ?? 0)
    case 'hire':
      return (
        <>
          {guideWords.hire.text} <TermsLink />
        </>
      )
    case 'claim':
      return guideWords.claim.text
  }
}

function Action({ step }: { step: Step }): ReactNode {
  const isLocal = useChain()?.cluster === 'local'
  const tokenUrl = useSite()?.tokenUrl
  switch (step) {
    case 'wallet':
      return (
        <Button tone="plum" size="sm" onClick={() => openLogin()}>
          {guideWords.wallet.action}
        </Button>
      )
    case 'tokens':
      if (isLocal) return <Way to={FAUCET}>{guideWords.tokens.faucet}</Way>
      return (
        <>
          <Way to={paths.deposit}>{guideWords.tokens.action}</Way>
          {tokenUrl ? (
            <a className={styles.more} href={tokenUrl} target="_blank" rel="noopener noreferrer">
              {guideWords.tokens.where}
            </a>
          ) : null}
        </>
      )
    case 'deposit':
      return <Way to={paths.deposit}>{guideWords.deposit.action}</Way>
    case 'hire':
      return <Way to={paths.buyPickers}>{guideWords.hire.action}</Way>
    case 'claim':
      return <Way to={paths.myFarm}>{guideWords.claim.action}</Way>
  }
}

/** A link to the place of the step; none for who is there. */
function Way({ to, children }: { to: string; children: ReactNode }) {
  const { pathname, search, hash } = useLocation()
  if (to === `${pathname}${search}${hash}`) return null
  return (
    <Link className={buttonClass({ tone: 'leaf', size: 'sm' })} to={to}>
      {children}
    </Link>
  )
}

/** A ripe boll for each step that is done. */
function Progress({ done }: { done: number }) {
  return (
    <span className={styles.progress} aria-hidden="true">
      {STEPS.map((step, at) => (
        <img
          key={step}
          className={classNames(at < done ? styles.done : at === done ? styles.now : styles.open)}
          src={boll}
          width="26"
          height="26"
          alt=""
        />
      ))}
    </span>
  )
}
