import { Suspense, useEffect, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { type EndReason, session, useSession } from '#web/api/session.ts'
import { paths } from '#web/paths.ts'
import { Alerts } from '#web/popups/alerts.tsx'
import { LoginPopup } from '#web/popups/login-popup.tsx'
import { openLogin } from '#web/popups/login-store.ts'
import { useStore } from '#web/store.ts'
import { showToast, type ToastContent } from '#web/ui/toast-store.ts'
import { Toasts } from '#web/ui/toasts.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { watchAccount, reconnectSilently } from '#web/wallet/log-in.ts'
import { useLocalTestWallet } from '#web/wallet/use-local-test-wallet.ts'
import { messages } from '#web/messages/en.ts'
import { closeMenu, listenForToggle, menu } from './menu-store.ts'
import { HeroDrawer, AppLayout } from './load-layout.ts'
import { OfflineNote } from './offline-note.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { LandscapeDimmer } from './landscape-dimmer.tsx'

/** The world, the page in it, and what may lie above every page. */
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
      <SessionEffects />
      <LoginPopup />
      <Alerts />
      <Toasts />
    </>
  )
}

/** Apart from the shell, so that what it hears draws nothing anew. */
function SessionEffects() {
  useSessionEnd()
  useLocalTestWallet()
  return null
}

/** The hero's menu is loaded when it is first asked for. */
function LazyHeroDrawer() {
  const open = useStore(menu)
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  useEffect(() => closeMenu, [])
  return <Suspense fallback={null}>{wanted ? <HeroDrawer /> : null}</Suspense>
}

let isFirst = true

/** A new page starts at its top, and a screen reader at its content; the first one was read before this script came. */
function PageStart() {
  useEffect(() => {
    if (isFirst) {
      isFirst = false
      return
    }
    window.scrollTo({ top: 0, behavior: 'instant' })
    if (document.activeElement !== document.body)
      document.getElementById('main')?.focus({ preventScroll: true })
  }, [])
  return null
}

/** Long enough to be read beside the login popup. */
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

/** Says why there is no session any more. */
function useSessionEnd(): void {
  const { ended } = useSession()
  useEffect(() => {
    if (ended === null) return
    showToast({ ...SESSION_END_TOASTS[ended], durationMs: SESSION_END_TOAST_MS })
    session.set({ ...session.get(), ended: null })
    // Whoever did not end it wants to go on.
    if (ended !== 'logged-out') openLogin()
  }, [ended])
}
