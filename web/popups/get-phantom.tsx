import { phantomBrowseUrl, isHandheld, PHANTOM_DOWNLOAD } from '#web/wallet/phantom-links.ts'
import { messages } from '#web/messages/en.ts'
import styles from './login-popup.module.css'

/** Links for visitors without a wallet: to Phantom's download, and on phones into Phantom's own browser. */
export function GetPhantom() {
  return (
    <p className={styles.get}>
      {isHandheld() ? <a href={phantomBrowseUrl(window.location)}>{messages.wallet.openInPhantom}</a> : null}
      <a href={PHANTOM_DOWNLOAD} target="_blank" rel="noopener noreferrer">
        {messages.wallet.getPhantom}
        <span className="vh"> {messages.newTab}</span>
      </a>
    </p>
  )
}
