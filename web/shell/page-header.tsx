import { Link } from 'react-router'
import basket from '#web/art/icons/basket.webp'
import tractor from '#web/art/icons/tractor.webp'
import { paths } from '#web/paths.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { words } from '#web/words/en.ts'
import styles from './page-header.module.css'
import { SocialLinks } from './social-links.tsx'
import { WalletButton } from './wallet-button.tsx'

/** The page that shows the header; it decides where the switch button leads (S-14). */
export type CurrentPage = 'buy-pickers' | 'myfarm' | 'myprofile'

export function PageHeader({ current, title, sub }: { current: CurrentPage; title: string; sub: string }) {
  const toPickers = current === 'myfarm'
  return (
    <header className={styles.header}>
      <title>{words.title(title)}</title>
      <div className={styles.sign}>
        <i className={styles.nail} />
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.sub}>{sub}</p>
        <i className={styles.nail} />
      </div>
      <div className={styles.actions}>
        <Link className={buttonClass({ wide: true })} to={toPickers ? paths.buyPickers : paths.myFarm}>
          <img src={toPickers ? basket : tractor} width="26" height="26" alt="" />
          {toPickers ? words.menu.buyPickers : words.menu.myFarm}
        </Link>
        <SocialLinks tone="paper" />
        <span className={styles.desktopOnly}>
          <WalletButton />
        </span>
      </div>
    </header>
  )
}
