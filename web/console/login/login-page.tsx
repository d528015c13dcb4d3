import { type RefObject, useEffect, useRef, useState } from 'react'
import boll from '#web/art/boll.svg'
import { consoleMessages } from '#web/messages/en-console.ts'
import { useStore } from '#web/store.ts'
import { usableWallets, wallets } from '#web/wallet/wallets.ts'
import { LoginError } from '#web/wallet/login-error.ts'
import { testWalletFailed, useLocalTestWallet } from '#web/wallet/use-local-test-wallet.ts'
import type { Wallet } from '@wallet-standard/base'
import { logInWith } from '../api/sign-in.ts'
import { session } from '../api/session.ts'
import { useGame } from '../api/use-game.ts'
import { ThemeChoice } from '../shell/theme-choice.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { WalletChoice } from './wallet-choice.tsx'
import styles from './login-page.module.css'

/** Choosing a wallet and signing the login message. */
export function LoginPage() {
  const { ended } = useStore(session)
  const found = usableWallets(useStore(wallets))
  const testWallet = useLocalTestWallet(useGame()?.cluster === 'local')
  const failed = useStore(testWalletFailed)
  const { logIn, cancel, waitingFor, problem, cancelButton } = useLogIn()
  const heading = useRef<HTMLHeadingElement>(null)

  // The page that had the focus is gone.
  useEffect(() => {
    if (ended) heading.current?.focus()
  }, [ended])

  return (
    <main className={styles.page}>
      <title>{consoleMessages.title(consoleMessages.login.title)}</title>
      <div className={styles.card}>
        <div className={styles.brand}>
          <img src={boll} width="32" height="32" alt="" />
          <span>
            {consoleMessages.product} <span className="soft">{consoleMessages.name}</span>
          </span>
        </div>
        <h1 className={styles.title} ref={heading} tabIndex={-1}>
          {consoleMessages.login.title}
        </h1>
        {ended && !problem ? <Notice tone="note">{consoleMessages.login.ended[ended]}</Notice> : null}
        {problem ? (
          <Notice tone="bad" role="alert">
            {problem}
          </Notice>
        ) : null}
        <p className="soft">{consoleMessages.login.text}</p>
        <WalletChoice
          {...{ found, testWallet, waitingFor }}
          testWalletFailed={failed}
          onChoose={(wallet) => void logIn(wallet)}
        />
        {waitingFor === null ? null : (
          <Button ref={cancelButton} onClick={cancel}>
            {consoleMessages.login.cancel}
          </Button>
        )}
      </div>
      <ThemeChoice />
    </main>
  )
}

type LogIn = {
  logIn: (wallet: Wallet) => Promise<void>
  /** Stops waiting. A wallet may never answer. */
  cancel: () => void
  /** The name of the wallet that has not answered yet. */
  waitingFor: string | null
  problem: string | null
  /** The button that cancels. It disappears, and its focus returns to the button of the wallet. */
  cancelButton: RefObject<HTMLButtonElement | null>
}

function useLogIn(): LogIn {
  const [waitingFor, setWaitingFor] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const login = useRef<AbortController>(null)
  const chosen = useRef<Element>(null)
  const cancelButton = useRef<HTMLButtonElement>(null)

  const stopWaiting = (): void => {
    const { current } = chosen
    if (document.activeElement === cancelButton.current && current instanceof HTMLElement) current.focus()
    setWaitingFor(null)
  }

  const logIn = async (wallet: Wallet): Promise<void> => {
    const { signal } = (login.current = new AbortController())
    chosen.current = document.activeElement
    setWaitingFor(wallet.name)
    setProblem(null)
    try {
      await logInWith(wallet, signal)
    } catch (error) {
      if (signal.aborted) return
      setProblem(error instanceof LoginError ? error.message : consoleMessages.login.failed)
      stopWaiting()
    }
  }

  const cancel = (): void => {
    login.current?.abort()
    stopWaiting()
  }
  return { logIn, cancel, waitingFor, problem, cancelButton }
}
