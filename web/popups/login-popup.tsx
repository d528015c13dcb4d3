import type { Wallet } from '@wallet-standard/base'
import WalletIcon from 'lucide-react/icons/wallet'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { session, useSession } from '#web/api/session.ts'
import { useChain } from '#web/api/use-chain.ts'
import gate from '#web/art/gate.svg'
import warning from '#web/art/icons/warning.webp'
import { pages } from '#web/pages.ts'
import { paths } from '#web/paths.ts'
import { useStore } from '#web/store.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { LazyPart } from '#web/ui/lazy-part.tsx'
import { Note } from '#web/ui/note.tsx'
import { lazyPreloadable } from '#web/lazy-preloadable.tsx'
import { testWalletFailed, useLocalTestWallet } from '#web/wallet/use-local-test-wallet.ts'
import { findWallet, PHANTOM, usableWallets, wallets } from '#web/wallet/wallets.ts'
import { messages } from '#web/messages/en.ts'
import styles from './login-popup.module.css'
import { closeLogin, promptVisitor, loginPopup } from './login-store.ts'
import { TermsLink } from './terms-link.tsx'
import { cancelLogin, GetWallet, logInWith, logInWithPhantom } from './use-log-in.ts'

/** How long after the start the popup opens automatically (S-20). */
const PROMPT_AFTER_MS = 500

/** The wallets of this browser. Visitors without one do not load it. */
const WalletList = lazyPreloadable(async () => ({ default: (await import('./wallet-list.tsx')).WalletList }))

export function LoginPopup() {
  const { open, error, hint, waitingFor } = useStore(loginPopup)
  const { loggedIn, step } = useSession()
  const isLocal = useChain()?.cluster === 'local'
  const hasWallets = usableWallets(useStore(wallets)).length > 0
  const hasPhantom = findWallet(PHANTOM) !== undefined

  useEffect(() => {
    const timer = setTimeout(promptVisitor, PROMPT_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  // Loaded before the popup opens, which would otherwise grow.
  useEffect(() => {
    if (hasWallets && !loggedIn) WalletList.load().catch(() => undefined)
  }, [hasWallets, loggedIn])

  if (!open || loggedIn) return null
  return (
    <Dialog
      title={messages.login.title}
      text={messages.login.text}
      onClose={cancelLogin}
      art={{ src: gate, width: 320, height: 190, place: 'pop' }}
      actions={
        <>
          {hasPhantom || !hasWallets ? (
            <Button
              // Without Phantom the test wallet is the one that works.
              tone={isLocal && !hasPhantom ? 'paper' : 'plum'}
              icon={<WalletIcon aria-hidden="true" />}
              onClick={() => void logInWithPhantom()}
              ariaDisabled={waitingFor !== null}
              data-autofocus
            >
              {messages.wallet.connect}
            </Button>
          ) : null}
          <Button onClick={cancelLogin}>
            {waitingFor === null || step === 'verifying' ? messages.close : messages.login.cancel}
          </Button>
        </>
      }
    >
      {error ? (
        <Note tone="bad" picture={warning} role="alert" className={styles.error}>
          {error}
        </Note>
      ) : null}
      {/* Always there, so that a screen reader reads it after the error. */}
      <output>{hint ? <p className={styles.hint}>{hint}</p> : null}</output>
      <LazyPart className={styles.error}>
        {hasWallets ? <WalletList /> : null}
        <Choices hasWallets={hasWallets} isWaiting={waitingFor !== null} />
      </LazyPart>
      <p className={styles.terms}>
        <TermsLink onFollow={closeLogin} />
      </p>
    </Dialog>
  )
}

/** What works without a wallet: the test wallet on the local chain, links to wallets elsewhere. */
function Choices({ hasWallets, isWaiting }: { hasWallets: boolean; isWaiting: boolean }) {
  const cluster = useChain()?.cluster
  const testWallet = useLocalTestWallet(cluster === 'local')
  const failed = useStore(testWalletFailed) && !testWallet
  const play = usePlay()
  if (cluster === 'local') {
    return (
      <div className={styles.local}>
        <p className={styles.localTitle}>{messages.login.localTitle}</p>
        <p>{messages.login.localText}</p>
        {failed ? <p role="alert">{messages.login.localFailed}</p> : null}
        <Button
          tone="leaf"
          block
          disabled={!testWallet}
          ariaDisabled={isWaiting}
          onClick={() => testWallet && void play(testWallet)}
        >
          {messages.login.localButton}
        </Button>
      </div>
    )
  }
  return hasWallets || !cluster ? null : <GetWallet />
}

/** Logs in with the test wallet. On the landing page, the player who pressed "Play" goes on to the first pickers. */
function usePlay(): (wallet: Wallet) => Promise<void> {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return async (wallet) => {
    const onHero = pathname === paths.hero
    if (onHero) void pages.buyPickers.load().catch(() => undefined)
    await logInWith(wallet)
    if (onHero && session.get().token !== null) void navigate(paths.buyPickers)
  }
}
