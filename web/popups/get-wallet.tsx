import { isHandheld, WALLET_APPS } from '#web/wallet/wallet-apps.ts'
import { walletMessages } from '#web/messages/en-wallets.ts'
import { messages } from '#web/messages/en.ts'
import { buttonClass } from '#web/ui/button.tsx'
import styles from './get-wallet.module.css'

/** For visitors without a wallet: the pages where wallets are installed, and on phones links into their apps. */
export function GetWallet() {
  return (
    <div className={styles.get}>
      {isHandheld() ? (
        <>
          <p>{walletMessages.openIn}</p>
          <div className={styles.links}>
            {WALLET_APPS.map(({ name, browseUrl }) => (
              <a
                key={name}
                className={buttonClass({ tone: 'plum', size: 'sm' })}
                href={browseUrl(window.location)}
                aria-label={walletMessages.openInApp(name)}
              >
                {name}
              </a>
            ))}
          </div>
        </>
      ) : null}
      <p>{walletMessages.install}</p>
      <div className={styles.links}>
        {WALLET_APPS.map(({ name, download }) => (
          <a
            key={name}
            className={buttonClass({ size: 'sm' })}
            href={download}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={`${walletMessages.getApp(name)} ${messages.newTab}`}
          >
            {name}
          </a>
        ))}
      </div>
    </div>
  )
}
