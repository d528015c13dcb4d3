import Play from 'lucide-react/icons/play'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { workerArt } from '#web/art/worker-art.ts'
import { playSound } from '#web/audio/sound.ts'
import { SoundButton } from '#web/shell/sound-button.tsx'
import foreground from '#web/art/foreground.svg'
import logo from '#web/art/logo.svg'
import step1 from '#web/art/step-1.webp'
import step2 from '#web/art/step-2.webp'
import step3 from '#web/art/step-3.webp'
import { paths } from '#web/paths.ts'
import { useMedia } from '#web/use-media.ts'
import { NARROW_WINDOW } from '#web/window-size.ts'
import { AuthSplit } from '#web/shell/auth-split.tsx'
import { loadPage } from '#web/shell/load-page.ts'
import { MenuToggle } from '#web/shell/menu-toggle.tsx'
import { SocialLinks } from '#web/shell/social-links.tsx'
import { WalletButton } from '#web/shell/wallet-button.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorBoundary } from '#web/ui/error-boundary.tsx'
import { heroMessages } from '#web/messages/en-hero.ts'
import { messages } from '#web/messages/en.ts'
import { behindMenu } from '#web/shell/behind-menu.ts'
import styles from './hero.module.css'

const CAST = ['kid', 'grandma', 'grandad', 'bigman'] as const
const STEPS = [step1, step2, step3]

const HeroPlayer = lazy(() =>
  import('#web/shell/hero-player.tsx').then((module) => ({ default: module.HeroPlayer })),
)

/** What only players have. A visitor does not load its code. */
function PlayerPart() {
  const { loggedIn } = useSession()
  return (
    <ErrorBoundary>
      <Suspense fallback={null}>{loggedIn ? <HeroPlayer /> : null}</Suspense>
    </ErrorBoundary>
  )
}

/** The player is about to start, so the next page is fetched. */
const preloadNextPage = (): void => void loadPage(paths.buyPickers)

export default function HeroPage() {
  return (
    <div className={styles.hero} {...behindMenu}>
      <title>{messages.title(heroMessages.page)}</title>
      <header className={styles.bar}>
        <MenuToggle />
        <span className={styles.space} />
        <SoundButton tone="paper" />
        <span className={styles.desktopOnly}>
          <SocialLinks tone="paper" />
        </span>
        <WalletButton />
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
        <h1 className="vh">{messages.product}</h1>
        <img className={styles.logo} src={logo} width="700" height="300" alt="" fetchPriority="high" />
        <p className={styles.tag}>{heroMessages.tag}</p>
        <div className={styles.cta}>
          <div className={styles.start}>
            <span className={styles.halo} aria-hidden="true" />
            <Link
              className={buttonClass({ tone: 'leaf', size: 'lg' }, styles.go)}
              to={paths.buyPickers}
              onPointerEnter={preloadNextPage}
              onFocus={preloadNextPage}
              onClick={() => playSound(true)}
            >
              <Play fill="currentColor" aria-hidden="true" />
              {heroMessages.start}
            </Link>
          </div>
          <AuthSplit
            player={
              <div className={styles.farm}>
                <PlayerPart />
              </div>
            }
          />
        </div>
        <Steps />
      </main>
      <div className={styles.castrow} aria-hidden="true">
        {CAST.map((type) => (
          <div key={type} className={classNames(styles.cast, styles[type])}>
            <img src={workerArt[type].figure} width="320" height="400" alt="" />
          </div>
        ))}
      </div>
      <img className={styles.fg} src={foreground} width="1600" height="150" alt="" />
    </div>
  )
}

/** The three images of small windows. A large window does not load them. */
function Steps() {
  const wanted = useMedia(NARROW_WINDOW, true)
  if (!wanted) return null
  return (
    <ol className={styles.steps}>
      {STEPS.map((picture, index) => (
        <li className={styles.step} key={picture}>
          <span className={styles.number} aria-hidden="true">
            {index + 1}
          </span>
          {index === 0 ? (
            <picture>
              {/* The prerendered page serves every window size. */}
              <source srcSet={picture} media={NARROW_WINDOW} />
              <img width="640" height="440" alt="" decoding="sync" />
            </picture>
          ) : (
            <img src={picture} width="640" height="440" alt="" loading="lazy" />
          )}
          <p className={styles.stepTitle}>{heroMessages.steps[index]}</p>
        </li>
      ))}
    </ol>
  )
}
