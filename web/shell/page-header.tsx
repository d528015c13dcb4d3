import { Link } from 'react-router'
import basket from '#web/art/icons/basket.webp'
import map from '#web/art/icons/map.webp'
import tractor from '#web/art/icons/tractor.webp'
import { paths } from '#web/paths.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { landMessages } from '#web/messages/en-land.ts'
import { messages } from '#web/messages/en.ts'
import { GuideSlot } from './guide-slot.tsx'
import styles from './page-header.module.css'
import { SocialLinks } from './social-links.tsx'
import { WalletButton } from './wallet-button.tsx'

/** The page that shows the header; it decides where the switch button leads (S-14). */
export type CurrentPage = 'buy-pickers' | 'parcels' | 'myfarm' | 'myprofile'

type Switch = { to: string; picture: string; text: string }

const toFarm: Switch = { to: paths.myFarm, picture: tractor, text: messages.menu.myFarm }

const SWITCH: Readonly<Record<CurrentPage, Switch>> = {
  'buy-pickers': toFarm,
  parcels: { to: paths.world, picture: map, text: landMessages.worldMap },
  myfarm: { to: paths.buyPickers, picture: basket, text: messages.menu.buyPickers },
  myprofile: toFarm,
}

export function PageHeader({ current, title, sub }: { current: CurrentPage; title: string; sub: string }) {
  const { to, picture, text } = SWITCH[current]
  return (
    <>
      <header className={styles.header}>
        <title>{messages.title(title)}</title>
        <div className={styles.sign}>
          <i className={styles.nail} />
          <h1 className={styles.title}>{title}</h1>
          <p className={styles.sub}>{sub}</p>
          <i className={styles.nail} />
        </div>
        <div className={styles.actions}>
          <Link className={buttonClass({ wide: true })} to={to}>
            <img src={picture} width="26" height="26" alt="" />
            {text}
          </Link>
          <SocialLinks tone="paper" />
          <span className={styles.desktopOnly}>
            <WalletButton />
          </span>
        </div>
      </header>
      <GuideSlot />
    </>
  )
}
