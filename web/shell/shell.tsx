import { Suspense, useEffect, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { type EndReason, session, useSession } from '#web/api/session.ts'
import { useChain } from '#web/api/use-chain.ts'
import { paths } from '#web/paths.ts'
import { Alerts } from '#web/popups/alerts.tsx'
import { LoginPopup } from '#web/popups/login-popup.tsx'
import { openLogin } from '#web/popups/login-store.ts'
import { useStore } from '#web/store.ts'
import { showToast, type ToastContent } from '#web/ui/toast-store.ts'
import { Toasts } from '#web/ui/toasts.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { watchAccount, reconnectSilently } from '#web/wallet/follow-wallet.ts'
import { useLocalTestWallet } from '#web/wallet/use-local-test-wallet.ts'
import { messages } from '#web/messages/en.ts'
import { Announcements } from './announcements.tsx'
import { closeMenu, listenForToggle, menu } from './menu-store.ts'
import { HeroDrawer, AppLayout } from './load-layout.ts'
import { OfflineNote } from './offline-note.tsx'
import { PageAnnouncer, PageStart } from './page-start.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { LandscapeDimmer } from './landscape-dimmer.tsx'
import { useWaitingToast } from './use-waiting-toast.ts'

/** The current page in its layout, and the popups that can appear above every page. */
export function Shell() {
  const { pathname } = useLocation()
  const onHero = pathname === paths.hero
  useEffect(listenForToggle, [])
  useEffect(watchAccount, [])
  useEffect(reconnectSilently, [])

  const page = (
    <PageBoundary key={pathname}>
      <Suspense fallback={onHero ? null : <Loading text={messages.loading} />}>
        <PageStart />
        <Outlet />
      </Suspense>
    </PageBoundary>
  )
  return (
    <>
      <a className="skip" href="#main">
        {messages.skip}
      </a>
      <LandscapeDimmer dim={!onHero} />
      <PageBoundary>
        <Suspense fallback={null}>
          {onHero ? (
            <>
              {page}
              <LazyHeroDrawer />
            </>
          ) : (
            <AppLayout>{page}</AppLayout>
          )}
        </Suspense>
      </PageBoundary>
      {onHero ? <OfflineNote /> : null}
      <Announcements />
      <PageAnnouncer />
      <SessionEffects />
      <LoginPopup />
      <Alerts />
      <Toasts />
    </>
  )
}

/** A separate component, so that its subscriptions do not re-render the shell. */
function SessionEffects() {
  useSessionEnd()
  useWaitingToast()
  useLocalTestWallet(useChain()?.cluster === 'local')
  return null
}

/** The hero's menu is loaded when it is first opened. */
function LazyHeroDrawer() {
  const open = useStore(menu)
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  useEffect(() => closeMenu, [])
  return <Suspense fallback={null}>{wanted ? <HeroDrawer /> : null}</Suspense>
}

/** Long enough to read the toast beside the login popup. */
const SESSION_END_TOAST_MS = 5_000

const SESSION_END_TOASTS: Readonly<Record<EndReason, Pick<ToastContent, 'kind' | 'title' | 'text'>>> = {
  'logged-out': { kind: 'info', title: messages.wallet.loggedOut, text: messages.wallet.loggedOutText },
  expired: { kind: 'warning', title: messages.wallet.expired, text: messages.wallet.expiredText },
  'account-switched': {
    kind: 'warning',
    title: messages.wallet.switched,
    text: messages.wallet.switchedText,
  },
}

/** Shows why the session has ended. */
function useSessionEnd(): void {
  const { ended } = useSession()
  useEffect(() => {
    if (ended === null) return
    showToast({ ...SESSION_END_TOASTS[ended], durationMs: SESSION_END_TOAST_MS })
    session.set({ ...session.get(), ended: null })
    // A player who did not log out wants to continue.
    if (ended !== 'logged-out') openLogin()
  }, [ended])
}
