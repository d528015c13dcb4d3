import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { ZERO } from '#game/cotton.ts'
import { useChain } from '#web/api/use-chain.ts'
import { useSite } from '#web/api/use-site.ts'
import { isCancellable, isRunning } from '#web/deposits/deposit-state.ts'
import { suggestDeposit } from '#web/deposits/suggest-deposit.ts'
import { useSendDeposit } from '#web/deposits/use-send-deposit.ts'
import { useTestTokens } from '#web/deposits/use-test-tokens.ts'
import { paths } from '#web/paths.ts'
import { openLogin } from '#web/popups/login-store.ts'
import { TermsLink } from '#web/popups/terms-link.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { TransientButton } from '#web/ui/transient-button.tsx'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { guideMessages } from '#web/messages/en-guide.ts'
import styles from './guide.module.css'
import { lowestPrice, type PlayerFacts, type Step } from './next-step.ts'
import { pointAt } from './point-at.ts'

export const GUIDE_ID = 'first-steps'

type StepProps = { step: Step; facts: PlayerFacts }

/** What the step is about, or why its action failed. Each text is alone in an element, like that of a `Button`. */
export function StepText({ step, facts }: StepProps): ReactNode {
  const isLocal = useChain()?.cluster === 'local'
  const { failure } = useTestTokens()
  switch (step) {
    case 'wallet':
      return <span>{isLocal ? guideMessages.wallet.local : guideMessages.wallet.text}</span>
    case 'tokens':
      if (failure) return <Failure text={failure} />
      return (
        <span>
          {isLocal ? guideMessages.tokens.local : guideMessages.tokens.text(lowestPrice(facts.prices))}
        </span>
      )
    case 'deposit':
      return <DepositText facts={facts} isLocal={isLocal} />
    case 'hire':
      return <span>{guideMessages.hire.text}</span>
    case 'claim':
      return <span>{guideMessages.claim.text}</span>
  }
}

function DepositText({ facts, isLocal }: { facts: PlayerFacts; isLocal: boolean }) {
  const { deposit } = useSendDeposit()
  if (deposit.step === 'failed') return <Failure text={deposit.problem} />
  if (deposit.step === 'waiting')
    return <span>{deposit.slow ? depositMessages.slow : depositMessages.waiting(deposit.amount)}</span>
  const inWallet = facts.inWallet ?? ZERO
  if (isLocal) return <span>{guideMessages.deposit.local(inWallet)}</span>
  return (
    <span key="terms">
      <span>{guideMessages.deposit.text(inWallet)}</span> <TermsLink />
    </span>
  )
}

const Failure = ({ text }: { text: string }) => <span role="alert">{text}</span>

/** The button that does the step, or leads to where it is done. */
export function StepAction({ step, facts }: StepProps): ReactNode {
  switch (step) {
    case 'wallet':
      return (
        <Button tone="plum" size="sm" onClick={() => openLogin()}>
          {guideMessages.wallet.action}
        </Button>
      )
    case 'tokens':
      return <TokensAction />
    case 'deposit':
      return <DepositAction facts={facts} />
    case 'hire':
      return (
        <StepLink to={paths.buyPickers} control="[id^='hire-']">
          {guideMessages.hire.action}
        </StepLink>
      )
    case 'claim':
      return (
        <StepLink to={paths.myFarm} control="[id^='claim-']:not([aria-disabled])">
          {guideMessages.claim.action}
        </StepLink>
      )
  }
}

function TokensAction() {
  const isLocal = useChain()?.cluster === 'local'
  const { request, requesting, resting } = useTestTokens()
  const tokenUrl = useSite()?.tokenUrl
  if (isLocal) {
    return (
      <Button tone="leaf" size="sm" busy={requesting} resting={resting} onClick={request}>
        {requesting ? depositMessages.testTokens.requesting : depositMessages.testTokens.request}
      </Button>
    )
  }
  return (
    <>
      <StepLink to={paths.deposit} control="#deposit-title">
        {guideMessages.tokens.action}
      </StepLink>
      {tokenUrl ? (
        <a className={styles.more} href={tokenUrl} target="_blank" rel="noopener noreferrer">
          {guideMessages.tokens.where}
        </a>
      ) : null}
    </>
  )
}

function DepositAction({ facts }: { facts: PlayerFacts }) {
  const cluster = useChain()?.cluster
  const { send, deposit, resting, cancel } = useSendDeposit()
  const busy = isRunning(deposit)
  const amount = suggestDeposit({
    inWallet: facts.inWallet ?? ZERO,
    balance: facts.balance ?? ZERO,
    price: lowestPrice(facts.prices),
    isTest: cluster === 'local',
  })
  return (
    <>
      {isCancellable(deposit) ? (
        <TransientButton size="sm" focusAfter={GUIDE_ID} onClick={cancel}>
          {depositMessages.cancel}
        </TransientButton>
      ) : null}
      <Button
        tone="sun"
        size="sm"
        busy={busy}
        resting={resting}
        ariaDisabled={cluster === undefined}
        onClick={() => send(amount, { fromGuide: true })}
      >
        {busy ? depositMessages.steps[deposit.step] : guideMessages.deposit.action(amount)}
      </Button>
    </>
  )
}

/** A link to where the step is done. There, a button that points at the control. */
function StepLink({ to, control, children }: { to: string; control: string; children: ReactNode }) {
  const { pathname, search } = useLocation()
  if (to === `${pathname}${search}`) {
    return (
      <Button
        tone="leaf"
        size="sm"
        onClick={() => pointAt(document.querySelector<HTMLElement>(`#main ${control}`))}
      >
        {guideMessages.showMe}
      </Button>
    )
  }
  return (
    <Link className={buttonClass({ tone: 'leaf', size: 'sm' })} to={to}>
      {children}
    </Link>
  )
}

/** Leads to the next picker. On the pickers' own page it only dismisses. */
export function HarvestAction({ dismiss }: { dismiss: () => void }) {
  const { pathname } = useLocation()
  if (pathname === paths.buyPickers) {
    return (
      <Button tone="leaf" size="sm" onClick={dismiss}>
        {guideMessages.harvest.done}
      </Button>
    )
  }
  return (
    <Link className={buttonClass({ tone: 'leaf', size: 'sm' })} to={paths.buyPickers} onClick={dismiss}>
      {guideMessages.harvest.action}
    </Link>
  )
}
