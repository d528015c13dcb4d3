import { insidePhantom, isHandheld, PHANTOM_DOWNLOAD } from '#web/wallet/phantom-links.ts'
import { words } from '#web/messages/en.ts'
import styles from './login-popup.module.css'

/** The ways to a wallet for who has none here: on a phone into Phantom's own browser, and everywhere to Phantom. */
export function GetPhantom() {
  return (
    <p className={styles.get}>
      {isHandheld() ? <a href={insidePhantom(window.location)}>{words.wallet.openInPhantom}</a> : null}
      <a href={PHANTOM_DOWNLOAD} target="_blank" rel="noopener noreferrer">
        {words.wallet.getPhantom}
        <span className="vh"> {words.newTab}</span>
      </a>
    </p>
  )
}
