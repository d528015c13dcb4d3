import { Link } from 'react-router'
import basket from '#web/art/icons/basket.webp'
import map from '#web/art/icons/map.webp'
import tractor from '#web/art/icons/tractor.webp'
import { type PageName, pages } from '#web/pages.ts'
import { paths } from '#web/paths.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { landMessages } from '#web/messages/en-land.ts'
import { messages } from '#web/messages/en.ts'
import { useCurrentPage } from './find-page.ts'
import { GuideSlot } from './guide-slot.tsx'
import styles from './page-header.module.css'
import { SocialLinks } from './social-links.tsx'
import { WalletButton } from './wallet-button.tsx'

type HeaderLink = { to: string; picture: string; text: string }

const toFarm: HeaderLink = { to: paths.myFarm, picture: tractor, text: messages.menu.myFarm }
const toPickers: HeaderLink = { to: paths.buyPickers, picture: basket, text: messages.menu.buyPickers }
const toWorld: HeaderLink = { to: paths.world, picture: map, text: landMessages.worldMap }

/** From the farm to Buy Pickers, from a continent to the world map, from every other page to the farm (S-14). */
function headerLink(page: PageName): HeaderLink {
  if (page === 'continent') return toWorld
  return pages[page].menu === 'myFarm' ? toPickers : toFarm
}

export function PageHeader({ title, sub }: { title: string; sub: string }) {
  const { to, picture, text } = headerLink(useCurrentPage())
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
          <Link className={buttonClass({}, styles.link)} to={to}>
            <img src={picture} width="26" height="26" alt="" />
            {text}
          </Link>
          <SocialLinks tone="paper" />
          <WalletButton />
        </div>
      </header>
      <GuideSlot />
    </>
  )
}
